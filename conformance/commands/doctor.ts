/** `npm run conformance -- doctor --profile FILE`. */
import type { Command } from 'commander';
import { commandLine, exitingWith, standardOutput } from '../../scripts/kit/command-line.ts';
import { CONFORMANCE } from '../called-as.ts';
import { examine } from '../deployment/doctor.ts';
import { loadProfile } from '../profile/profile.ts';

const SIGNS = { ok: 'ok     ', gap: 'MISSING', problem: 'WRONG  ' } as const;

/** Ends with what the examination found. */
export function doctorCommand(): Command {
  return commandLine(
    `${CONFORMANCE} doctor`,
    'Checks, before a run, whether the target, the keys and the fixtures are what the profile says.',
  )
    .requiredOption('--profile <file>', 'the profile of the target')
    .option('--json', 'print one JSON line for each finding')
    .option('--quiet', 'only what is missing or wrong')
    .addHelpText(
      'after',
      `
It checks whether the target answers, whether its clock is right, what _verify answers to each key, whether replicas and
the control clock answer, whether fixtures exist and the right owners see them, and whether deliveries arrive. With
consent to writes it makes one webhook endpoint for that and deletes it again.

Exit codes: 0 ready · 1 something is not as the profile says · 2 bad profile · 3 target unreachable
            6 ready, but something is missing, so some rules will be UNTESTED`,
    )
    .action(
      exitingWith(async (options: { profile: string; json?: true; quiet?: true }) => {
        const loaded = loadProfile(options.profile);
        const code = await examine(loaded, (finding) => {
          if (options.quiet && finding.kind === 'ok') return;
          const line = options.json
            ? JSON.stringify(finding)
            : `${SIGNS[finding.kind]} ${finding.about}: ${finding.says}`;
          standardOutput.stdout(`${line}\n`);
        });
        const ends = { 0: 'Ready.', 6: 'Ready, with gaps.' } as Record<number, string>;
        if (!options.json) standardOutput.stdout(`${ends[code] ?? 'Not ready.'}\n`);
        return code;
      }),
    );
}
