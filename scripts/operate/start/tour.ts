/** A shell file that the tours of `docs/tours.md` read: addresses, keys and ids of the demo tenant, functions. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WebhookReceiver } from '../suite/receiver.ts';
import type { SuiteTenants } from '../suite/suite-tenants.ts';

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

/** Shell functions, so that a tour needs only curl and Node. */
const FUNCTIONS = `# field PATH: one value of the JSON on standard input
field() { node -e 'let v = JSON.parse(require("fs").readFileSync(0)); for (const k of process.argv[1].split(".")) v = v?.[k]; console.log(v)' "$1"; }
# form: the fields of a reserved upload on standard input, as curl reads them with --config
form() { node -e 'const { upload } = JSON.parse(require("fs").readFileSync(0)); console.log("url = " + JSON.stringify(upload.url)); for (const [k, v] of Object.entries(upload.fields)) console.log("form-string = " + JSON.stringify(k + "=" + v))'; }
# within SECONDS COMMAND: repeats the command until it succeeds, for at most that time
within() { local end=$((SECONDS + $1)); shift; until "$@"; do test $SECONDS -lt $end || { echo "not in time: $*" >&2; return 1; }; sleep 0.2; done; }
`;

/** Quotes a text as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface TourFacts extends Pick<SuiteTenants, 'fixtures' | 'secrets' | 'tenants'> {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly controlUrl: string | null;
  readonly webhookReceiver: WebhookReceiver | undefined;
}

/** For the tour of events: where it sends events, how it moves the clock and reads the settings. */
function eventLines({ controlUrl, dataDir, tenants, webhookReceiver: receiver }: TourFacts): string[] {
  const data = quoted(path.resolve(dataDir));
  return [
    `CONTROL=${quoted(controlUrl ?? '')} # the clock of the service, which tests may move`,
    `RECEIVER=${quoted(receiver ? `https://${receiver.host}:${receiver.port}` : '')} # the address for events in addition to public ones`,
    '# settings WORDS: the settings of the application, in this tenant',
    `settings() { npm run -s settings -- --data ${data} --tenant ${quoted(tenants.main)} "$@"; }`,
  ];
}

function tourFile(dataDir: string): string {
  return path.join(dataDir, 'tour.env');
}

/** Writes the file (mode 0600: it holds keys). */
export function writeTour(facts: TourFacts): void {
  const lines = Object.entries(VARIABLES).map(
    ([variable, [from, name, about]]) => `${variable}='${facts[from][name] ?? ''}' # ${about}`,
  );
  const head = '# Written by npm start; for a shell: . THIS FILE';
  const text = [head, `API='${facts.baseUrl}/developer/v1'`, ...lines, ...eventLines(facts), FUNCTIONS].join('\n');
  writeFileSync(tourFile(facts.dataDir), text, { mode: 0o600 });
}
