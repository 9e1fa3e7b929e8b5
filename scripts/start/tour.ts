/** The shell variables that the README's tour begins with: address, keys and ids of the demo tenant. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProfileFacts } from './conformance.ts';
import type { Secrets } from './key-ring.ts';

const VARIABLES: Readonly<Record<string, readonly [from: 'secrets' | 'fixtures', name: string, about: string]>> = {
  KEY: ['secrets', 'CONF_KEY_FULL_1', 'the initiator: sees everybody, all scopes'],
  APPROVER_KEY: ['secrets', 'CONF_KEY_SECOND_OWNER', 'somebody else, who approves'],
  SIGNER_KEY: ['secrets', 'CONF_KEY_RESTRICTED_OWNER', 'a third one, who signs with a certificate'],
  INITIATOR: ['fixtures', 'owner_employee_id', "the employee of KEY's owner"],
  APPROVER: ['fixtures', 'second_owner_employee_id', "the employee of APPROVER_KEY's owner"],
  SIGNER: ['fixtures', 'restricted_owner_employee_id', "the employee of SIGNER_KEY's owner"],
  TYPE: ['fixtures', 'document_type_id', 'a document type: order of leave'],
  TEMPLATE: ['fixtures', 'document_template_id', 'its template'],
};

/** Functions of the shell, so that the tour needs nothing but curl and Node. */
const FUNCTIONS = `# field PATH: one value of the JSON on standard input
field() { node -e 'let v = JSON.parse(require("fs").readFileSync(0)); for (const k of process.argv[1].split(".")) v = v?.[k]; console.log(v)' "$1"; }
# form: the fields of a reserved upload on standard input, as curl reads them with --config
form() { node -e 'const { upload } = JSON.parse(require("fs").readFileSync(0)); console.log("url = " + JSON.stringify(upload.url)); for (const [k, v] of Object.entries(upload.fields)) console.log("form-string = " + JSON.stringify(k + "=" + v))'; }
`;

export function tourFile(dataDir: string): string {
  return path.join(dataDir, 'tour.env');
}

/** Writes the file (mode 0600: it holds keys). */
export function writeTour(facts: ProfileFacts & { readonly secrets: Secrets }): void {
  const lines = Object.entries(VARIABLES).map(
    ([variable, [from, name, about]]) => `${variable}='${facts[from][name] ?? ''}' # ${about}`,
  );
  const head = '# Written by npm start; for a shell: . THIS FILE';
  const text = [head, `API='${facts.baseUrl}/developer/v1'`, ...lines, FUNCTIONS].join('\n');
  writeFileSync(tourFile(facts.dataDir), text, { mode: 0o600 });
}
