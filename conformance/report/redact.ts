/**
 * Keeps keys and personal data out of everything that is printed or stored. Personal values are recognised by the names
 * that the contract marks and, once seen, wherever else they appear.
 */
import { createHash } from 'node:crypto';
import { personalDataFields, secretFields } from '../../generated/contract.ts';
import { jsonFrom } from '../http/exchange.ts';

const SHORTEST = 3;
const DIGEST_LENGTH = 10;
/** This many consecutive characters of a key's hidden part never appear by chance. */
const PIECE = 8;
/** A part of a text that could be a key, or a key in base64. */
const WORD = /[A-Za-z0-9_-]{11,}/g;

/**
 * A short hash by which two values in a report can be seen to be equal without showing them; `salt` differs from run to
 * run.
 */
export function digest(value: string, salt: string): string {
  return `#${createHash('sha256').update(salt).update('\0').update(value).digest('hex').slice(0, DIGEST_LENGTH)}`;
}

/** Redacts the texts of a run. */
export class Redactor {
  readonly #salt: string;
  readonly #secrets: readonly [secret: string, shown: string][];
  readonly #shownPrefix: RegExp;
  /** Every piece of every key's hidden part, plain and in base64, in lower case, with the key's variable. */
  readonly #pieces = new Map<string, string>();
  /** The personal values, by their first characters: there are thousands, and texts are long. */
  readonly #personal = new Map<string, Set<string>>();

  /**
   * @param salt random text of this run
   * @param secrets value of each key by the name of its variable
   * @param shownPrefix pattern for the part of a key that may be shown
   */
  constructor(salt: string, secrets: Readonly<Record<string, string>>, shownPrefix: string) {
    this.#salt = salt;
    this.#shownPrefix = new RegExp(shownPrefix);
    this.#secrets = Object.entries(secrets)
      .map(([name, value]): [string, string] => [value, `${this.#prefixOf(value)}…(${name})`])
      .sort(([a], [b]) => b.length - a.length);
    for (const [name, value] of Object.entries(secrets)) {
      const hidden = value.slice(this.#prefixOf(value).length);
      // The base64 form of a key depends on its offset modulo 3 in the encoded text.
      const encoded = [0, 1, 2].map((from) => Buffer.from(hidden.slice(from)).toString('base64url'));
      for (const form of [hidden, ...encoded]) {
        for (let at = 0; at + PIECE <= form.length; at++)
          this.#pieces.set(form.slice(at, at + PIECE).toLowerCase(), name);
      }
    }
  }

  /** Remembers the personal values of an answer. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      if (typeof child !== 'string') this.learn(child);
      else if (name in personalDataFields && child.length >= SHORTEST) {
        const start = child.slice(0, SHORTEST);
        this.#personal.set(start, (this.#personal.get(start) ?? new Set()).add(child));
      }
    }
  }

  /** The personal values seen so far that `text` contains. */
  leaksIn(text: string): string[] {
    const found = new Set<string>();
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      for (const value of this.#personal.get(text.slice(at, at + SHORTEST)) ?? [])
        if (text.startsWith(value, at)) found.add(value);
    }
    return [...found];
  }

  /** Replaces whole keys by their prefix; fast, for long texts. */
  wholeKeys(text: string): string {
    let shown = text;
    for (const [secret, prefix] of this.#secrets) if (shown.includes(secret)) shown = shown.replaceAll(secret, prefix);
    return shown;
  }

  #prefixOf(key: string): string {
    return this.#shownPrefix.exec(key)?.[0] ?? '';
  }

  /**
   * Replaces keys by their prefix, and so what is derived from a key (some characters changed, cut off, in base64), which
   * reveals most of it.
   */
  keys(text: string): string {
    return this.wholeKeys(text).replace(WORD, (word) => {
      const lower = word.toLowerCase();
      // Testing every fourth position finds any run of eleven characters.
      for (let at = 0; at + PIECE <= lower.length; at += 4) {
        const name = this.#pieces.get(lower.slice(at, at + PIECE));
        if (name !== undefined) return `${this.#prefixOf(word)}…(made of ${name})`;
      }
      return word;
    });
  }

  /** Replaces keys, and what is derived from them, by their prefix, and personal values by a hash. */
  text(text: string): string {
    let shown = this.keys(text);
    for (const value of this.leaksIn(shown).sort((a, b) => b.length - a.length)) {
      shown = shown.replaceAll(value, digest(value, this.#salt));
    }
    return shown;
  }

  /** JSON with its personal and secret properties hashed; anything else is treated as text. */
  body(text: string): string {
    const hashed = JSON.stringify(jsonFrom(text), (name, value: unknown) => {
      const hide = name in personalDataFields || secretFields.includes(name as never);
      return hide && typeof value === 'string' && value !== '' ? digest(value, this.#salt) : value;
    });
    return this.text(hashed ?? text);
  }
}
