/** The release of the contract that this client was made for; also the version of the package. */
export const VERSION = '1.8.0';
