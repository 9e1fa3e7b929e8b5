/** A mutation: one fault in the source of the service, of a kind that developers make. */

export interface Mutation {
  readonly id: string;
  /** From the root of the project. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What a customer would see, in one sentence. */
  readonly customer: string;
  /** The sections of the suite that are run first, where they are not those of the area. */
  readonly sections?: readonly string[];
  /** Why nothing needs to find it; a survivor with a reason is no failure. */
  readonly reason?: string;
}

/** The mutations of one part of the service. */
export interface Area {
  readonly name: string;
  /** The sections of the suite that are run first: they are about this part. */
  readonly sections: readonly string[];
  readonly mutations: readonly Mutation[];
}

/** A mutation as it is tried. */
export interface Planned extends Mutation {
  readonly area: string;
  readonly sections: readonly string[];
}

/** The mutations of all areas, each with what it has from its area. */
export function plannedOf(areas: readonly Area[]): Planned[] {
  return areas.flatMap(({ name, sections, mutations }) =>
    mutations.map((mutation) => ({ sections, ...mutation, area: name })),
  );
}

/** @throws Error unless the text of the mutation stands exactly once in the source */
export function mutated(source: string, { id, file, find, replace }: Mutation): string {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`${id}: its text stands ${times} times in ${file}, not once`);
  return source.replace(find, () => replace);
}
