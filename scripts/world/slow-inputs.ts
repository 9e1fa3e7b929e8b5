/** Inputs that a careless reader takes long for, in any size. */

/** Makes an input of about that many bytes. */
export type DemandingInput = (bytes: number) => string;

const filled = (unit: string, bytes: number) => unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));

const arrayOf = (value: string): DemandingInput => {
  return (bytes) => `[${filled(`${value},`, bytes)}${value}]`;
};

function counted(open: string, close: string, piece: (nth: number) => string): DemandingInput {
  return (bytes) => {
    const pieces: string[] = [];
    for (let [nth, length] = [0, 0]; length < bytes; nth++) {
      const next = piece(nth);
      pieces.push(next);
      length += next.length + 1;
    }
    return `${open}${pieces.join()}${close}`;
  };
}

const characters = (text: string): readonly string[] => [...text];
const words = (text: string): readonly string[] => text.split(' ');

/** Units of texts as they stand in JSON: characters of each class, sequences of them, and escapes of each kind. */
const TEXTS: readonly string[] = [
  ...characters("aA0 \u00a0-_./%+=@:#?&~,;*$([{<>'`^|!éЖİß漢가😀\u0301\u200b\u202e\ufdfaﬃاאก"),
  ...words('{{ {{a}} a\u0301 \u0323\u0301 a. a- a@ 0. %41 %e2%82%ac .pdf xn-- :: 127. MIIB \u1100\u1161'),
  'a ',
  '{{ ',
  '-----BEGIN ',
  ...words(String.raw`\n \r\n \t \" \\ \/ \u0041 \u0301 \ud83d\ude00 \u0000 \ud800 \u001f \u2028 \u0022`),
];

/** Texts, with another character at the end, which makes patterns give up and try again. */
export const texts: readonly (readonly [string, DemandingInput])[] = TEXTS.map((unit) => [
  `texts of ${JSON.stringify(unit)}`,
  (bytes) => `"${filled(unit, bytes)}!"`,
]);

export const values: readonly (readonly [string, DemandingInput])[] = [
  ['digits', (bytes) => filled('1', bytes)],
  ['zeros after a point', (bytes) => `1.${filled('0', bytes)}1`],
  ['zeros before a point', (bytes) => `1${filled('0', bytes)}.1`],
  ['digits of an exponent', (bytes) => `1e${filled('0', bytes)}1`],
  ['nines', (bytes) => `0.${filled('9', bytes)}`],
  ...['1', '0', '-0', '1e0', '1E+2', '0.1', '1e-400', '1e400', '0.30000000000000004', '99999999.999999999'].map(
    (number): [string, DemandingInput] => [`numbers ${number}`, arrayOf(number)],
  ),
  ...[
    '[]',
    '{}',
    '""',
    '"a"',
    '"\\u0041"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    'true',
    'null',
    '[[]]',
    '{"a":{}}',
    '{"a":1,"b":[2]}',
  ].map((value): [string, DemandingInput] => [`arrays of ${value}`, arrayOf(value)]),
  ['64 levels and wide', (bytes) => `${'['.repeat(50)}${arrayOf('{}')(bytes)}${']'.repeat(50)}`],
  ['many deep values', arrayOf(`${'{"a":['.repeat(25)}${']}'.repeat(25)}`)],
  ['different names', counted('{', '}', (nth) => `"${nth.toString(36)}":1`)],
  ['different names of arrays', counted('{', '}', (nth) => `"${nth.toString(36)}":[]`)],
  ['different names with an escape', counted('{', '}', (nth) => `"\\u0041${nth.toString(36)}":1`)],
  ['names that are numbers', counted('{', '}', (nth) => `"${(nth * 7919) % 1_000_003}":1`)],
  ['one name again and again', counted('{', '}', () => '"a":1')],
  ['__proto__ again and again', counted('{', '}', () => '"__proto__":{}')],
  ['a long name', (bytes) => `{"${filled('n', bytes)}":1}`],
  ['objects of different names', counted('[', ']', (nth) => `{"${nth.toString(36)}":1}`)],
  ['different texts', counted('[', ']', (nth) => `"${nth.toString(36)}"`)],
  ['different ids', counted('[', ']', (nth) => `"${nth.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000"`)],
  ['blanks in an array', (bytes) => `[${filled(' ', bytes)}]`],
];

/** What is no JSON, or only just. */
export const broken: readonly (readonly [string, DemandingInput])[] = [
  ['line feeds and an x', (bytes) => `${filled('\n', bytes)}x`],
  ['blanks and an x', (bytes) => `${filled(' ', bytes)}x`],
  ['an open text', (bytes) => `"${filled('a', bytes)}`],
  ['an open text of escapes', (bytes) => `"${filled('\\n', bytes)}`],
  ['an open number', (bytes) => `${filled('1', bytes)}.`],
  ['open arrays', (bytes) => filled('[', bytes)],
  ['open objects', (bytes) => filled('{"a":', bytes)],
  ['an array that ends too early', (bytes) => arrayOf('{}')(bytes).slice(0, -1)],
  ['text in lines, and no end', (bytes) => `["${filled('é","\n"', bytes)}`],
];

/** Characters for parts of a head, as they are sent. */
export const headTexts: readonly string[] = [
  ...characters('a0.-_~+=&;,/:@!*("'),
  ...words('a=1& limit=1& %41 %20 %00 %ff %d0%96 %cc%81 %f0%9f%98%80 [a]= \\" gzip, a;='),
  ', ',
  ' ;',
  '; a=b',
];
