/** How the keys of the project's own tools begin. */
export const KEY_PREFIX = 'dapi';
