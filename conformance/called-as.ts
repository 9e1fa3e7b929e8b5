/** How a user calls the suites, for messages that name a command: as scripts of the project, or as a package. */
const asPackage = process.env.CONF_CALLED_AS;

export const CONFORMANCE = asPackage ?? 'npm run conformance --';
export const LOAD = asPackage === undefined ? 'npm run load --' : `${asPackage} load`;
