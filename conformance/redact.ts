/**
 * Keeps keys and personal data out of everything that is printed or stored. Personal values are recognised by the names
 * that the contract marks, and, once seen, wherever they turn up again.
 */
import { createHash } from 'node:crypto';
import { personalDataFields, secretFields } from '../generated/personal-data.ts';

const SHORTEST = 3;
const DIGEST_LENGTH = 10;

/** A short hash that lets two reports say "the same value" without saying which; `salt` differs from run to run. */
export function digest(value: string, salt: string): string {
  return `#${createHash('sha256').update(salt).update('\0').update(value).digest('hex').slice(0, DIGEST_LENGTH)}`;
}

export class Redactor {
  readonly #salt: string;
  readonly #secrets: readonly [secret: string, shown: string][];
  readonly #personal = new Set<string>();

  /**
   * @param salt random text of this run
   * @param secrets value of each key by the name of its variable
   * @param shownPrefix pattern for the part of a key that may be shown
   */
  constructor(salt: string, secrets: Readonly<Record<string, string>>, shownPrefix: string) {
    this.#salt = salt;
    const pattern = new RegExp(shownPrefix);
    this.#secrets = Object.entries(secrets)
      .map(([name, value]): [string, string] => [value, `${pattern.exec(value)?.[0] ?? ''}…(${name})`])
      .sort(([a], [b]) => b.length - a.length);
  }

  /** Remembers the personal values of an answer. @returns how many it holds */
  learn(value: unknown): number {
    let found = 0;
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, child] of Object.entries(node)) {
        if (typeof child === 'string') {
          if (!(name in personalDataFields) || child.length < SHORTEST) continue;
          this.#personal.add(child);
          found++;
        } else visit(child);
      }
    };
    visit(value);
    return found;
  }

  /** The personal values seen so far that `text` contains. */
  leaksIn(text: string): string[] {
    return [...this.#personal].filter((value) => text.includes(value));
  }

  /** Keys replaced by their prefix. */
  keys(text: string): string {
    let shown = text;
    for (const [secret, prefix] of this.#secrets) if (shown.includes(secret)) shown = shown.replaceAll(secret, prefix);
    return shown;
  }

  /** Keys replaced by their prefix and personal values by a hash. */
  text(text: string): string {
    let shown = this.keys(text);
    for (const value of this.leaksIn(shown).sort((a, b) => b.length - a.length)) {
      shown = shown.replaceAll(value, digest(value, this.#salt));
    }
    return shown;
  }

  /** JSON with its personal and secret properties hashed; anything else as text. */
  body(text: string): string {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return this.text(text);
    }
    const hashed = JSON.stringify(parsed, (name, value: unknown) => {
      const hide = name in personalDataFields || secretFields.includes(name as never);
      return hide && typeof value === 'string' && value !== '' ? digest(value, this.#salt) : value;
    });
    return this.text(hashed ?? text);
  }
}
