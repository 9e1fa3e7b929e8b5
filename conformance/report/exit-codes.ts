/** How the suite ends, for programs. */
export const exitCodes = {
  conformant: 0,
  notConformant: 1,
  badProfile: 2,
  unreachable: 3,
  harnessFault: 4,
  outdatedBaseline: 5,
  incomplete: 6,
} as const;
