/**
 * Jest's set-up file under Stryker. An instrumented module reads from the environment which mutation is active, but only
 * while no global names one. Test files share their globals here, so the mutation of the run before would stay active.
 */
const globals = globalThis as unknown as Record<string, { activeMutant?: string } | undefined>;

for (const name of ['__stryker__', '__stryker2__']) delete globals[name]?.activeMutant;
