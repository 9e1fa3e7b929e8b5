import type { ProfileFile } from '../../generated/profile.ts';

/** What the brief leaves open, as the target decided it; profile.schema.json describes each value. */
export type Values = ProfileFile['values'];
