/** Finds code in a file whatever its layout is, and also if local variables have got other names since. */

/** Code that was found, and what takes its place there. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Token {
  readonly text: string;
  readonly start: number;
}

const TOKEN = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\p{L}\p{N}_$]+|\S/gu;
const LOCAL = /^[a-z_$][\w$]*$/;
const KEYWORD =
  /^(as|async|await|break|case|catch|const|continue|delete|do|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|let|new|null|of|return|static|switch|this|throw|true|try|typeof|undefined|void|while|yield)$/;

/** Texts in quotation marks, words and other characters, without white space and commas before a closing bracket. */
function tokensOf(code: string): Token[] {
  const all = [...code.matchAll(TOKEN)].map((found) => ({ text: found[0], start: found.index }));
  return all.filter(({ text }, nth) => text !== ',' || !/^[)\]}]$/.test(all[nth + 1]?.text ?? ''));
}

/** Whether the token names a variable, as far as its neighbours show. */
function isVariable(tokens: readonly Token[], nth: number): boolean {
  const [before, text = '', after] = [-1, 0, 1].map((by) => tokens[nth + by]?.text);
  if (!LOCAL.test(text) || KEYWORD.test(text) || before === '.' || after === '(') return false;
  return after !== ':' || before === '?';
}

/** The new names of variables if the code stands here; undefined if it does not. */
function namesAt(source: readonly Token[], at: number, code: readonly Token[], mayDiffer: boolean) {
  const names = new Map<string, string>();
  for (const [nth, { text }] of code.entries()) {
    const here = source[at + nth]?.text ?? '';
    const known = names.get(text);
    if (known === here) continue;
    const areVariables = isVariable(code, nth) && isVariable(source, at + nth);
    if (known === undefined && here === text && !areVariables) continue;
    // A variable that keeps its name is known too: no other one may get this name.
    const mayStand = areVariables && (mayDiffer || here === text);
    if (!mayStand || known !== undefined || [...names.values()].includes(here)) return undefined;
    names.set(text, here);
  }
  return names;
}

const renamed = (code: string, names: ReadonlyMap<string, string>): string =>
  code.replace(/(?<![.\w$])[a-z_$][\w$]*(?!\s*\()/g, (word) => names.get(word) ?? word);

/** @returns where the code is, or how often, if that is not once */
export function placeOf(text: string, find: string, replace: string): Place | number {
  const source = tokensOf(text);
  const withComma = tokensOf(find);
  const code = withComma.at(-1)?.text === ',' ? withComma.slice(0, -1) : withComma;
  for (const mayDiffer of [false, true]) {
    const found = source.flatMap((_, at) => {
      const names = namesAt(source, at, code, mayDiffer);
      return names === undefined ? [] : [{ at, names }];
    });
    const [only, ...others] = found;
    if (only === undefined) continue;
    if (others.length > 0) return found.length;
    const last = source[only.at + code.length - 1] as Token;
    const end = last.start + last.text.length;
    // A comma at the end of what is sought belongs to it, where there is one.
    const comma = code.length < withComma.length ? (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0) : 0;
    return { start: source[only.at]?.start ?? 0, end: end + comma, replacement: renamed(replace, only.names) };
  }
  return 0;
}
