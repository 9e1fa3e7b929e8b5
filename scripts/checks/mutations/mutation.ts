/** A mutation: one fault in the source of the service, of a kind that developers make. */

export interface Mutation {
  readonly id: string;
  /** From the root of the project. */
  readonly file: string;
  /** Is in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What a customer would see, in one sentence. */
  readonly customer: string;
  /** The sections of the suite that run first, if they are not those of the area. */
  readonly sections?: readonly string[];
  /** The rule that was written for this kind of fault: it alone has to find the mutation. */
  readonly rule?: string;
  /** Why nothing has to find it; a mutation with a reason that nothing finds is no failure. */
  readonly reason?: string;
}

/** The mutations of one part of the service. */
export interface Area {
  readonly name: string;
  /** The sections of the suite that run first: they are about this part. */
  readonly sections: readonly string[];
  readonly mutations: readonly Mutation[];
}

/** A mutation with everything that is needed to try it. */
export interface PlannedMutation extends Mutation {
  readonly area: string;
  readonly sections: readonly string[];
}

/** The mutations of all areas, each with its area and its sections. */
export function plannedOf(areas: readonly Area[]): PlannedMutation[] {
  return areas.flatMap(({ name, sections, mutations }) =>
    mutations.map((mutation) => ({ sections, ...mutation, area: name })),
  );
}

/** @throws Error unless the text of the mutation is in the source exactly once */
export function mutated(source: string, { id, file, find, replace }: Mutation): string {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`${id}: its text stands ${times} times in ${file}, not once`);
  return source.replace(find, () => replace);
}
