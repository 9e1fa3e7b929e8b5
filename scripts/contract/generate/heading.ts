/** The first line of every generated file: how the file is made and what it is. */
export function heading(what: string): string {
  return `// Made from openapi.yaml by \`npm run generate\`; never edited by hand. ${what.slice(0, 1).toUpperCase()}${what.slice(1)}.\n`;
}
