/** The Content-Type header, read as RFC 9110 §8.3.1 and §5.6.6 write it. */

const TOKEN = "[\\w!#$%&'*+\\-.^`|~]+";
const TYPE = new RegExp(`${TOKEN}/${TOKEN}`, 'y');
const SEPARATOR = /[ \t]*;[ \t]*/y;
const PARAMETER = new RegExp(
  `(${TOKEN})=(?:(${TOKEN})|"((?:[\\t !#-[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*)")`,
  'y',
);

/** A media type: its name and the names of its parameters in lower case; values as they are meant, without quotes. */
export interface MediaType {
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The media type that a header names, or undefined if the header is malformed. Takes time in proportion to the text. */
export function mediaTypeOf(text: string): MediaType | undefined {
  const [name] = matchAt(TYPE, text, 0) ?? [];
  if (name === undefined) return undefined;
  const parameters: [string, string][] = [];
  let at = name.length;
  while (at < text.length) {
    const [separator] = matchAt(SEPARATOR, text, at) ?? [];
    if (separator === undefined) return undefined;
    at += separator.length;
    const [whole = '', parameter, token, quoted = ''] = matchAt(PARAMETER, text, at) ?? [];
    at += whole.length;
    if (parameter !== undefined) parameters.push([parameter.toLowerCase(), token ?? quoted.replace(/\\(.)/gs, '$1')]);
  }
  return { name: name.toLowerCase(), parameters };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
