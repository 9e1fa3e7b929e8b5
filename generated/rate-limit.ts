// Made from openapi.yaml by `npm run generate`; never edited by hand. The rate limit of a key.

/** A bucket of `burst` tokens, refilled continuously by `perSecond` tokens a second; each request takes one. */
export const rateLimit = { perSecond: 10, burst: 20 } as const;
