/**
 * How answers to the questions of `init` are parsed. Each function throws an Error whose message says what to answer.
 */
import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { adminCommands, exampleValues, otherKeys } from './profile-text.ts';

const wrong = (message: string): never => {
  throw new Error(message);
};

/** Long enough to be a key; no name that a person would choose looks like this. */
const SECRET = /[A-Za-z0-9]{32,}/;

/** A text that holds no key. A text that holds one is not repeated in the error. */
export function plain(text: string): string {
  if (SECRET.test(text)) wrong('that looks like a key; keys belong into the env file, never here.');
  return text;
}

export const someText = (text: string) => (text === '' ? wrong('answer something.') : plain(text));

export function yesOrNo(text: string): boolean {
  if (/^(y|yes|true)$/i.test(text)) return true;
  return /^(n|no|false)$/i.test(text) ? false : wrong('answer y or n.');
}

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  const fits = /^\d+$/.test(text) && number >= least && number <= most;
  return fits ? number : wrong(`give a whole number from ${least} to ${most}.`);
};

const parts = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

export const words = (text: string) => parts(text).map(plain);

/** Scheme, host and port; the prefix of the API and trailing slashes are removed. */
export function baseUrl(text: string): string {
  const bare = text.replace(/\/+$/, '').replace(/\/developer\/v1$/, '');
  if (URL.canParse(bare) && /^https?:\/\/[^/?#@]+$/.test(bare)) return bare;
  return wrong('give http:// or https:// with host and port, such as https://api.staging.example.');
}

export const baseUrls = (text: string) => (text === 'none' ? [] : parts(text).map(baseUrl));

export const httpsUrl = (text: string) =>
  URL.canParse(text) && /^https:\/\/[^?#]+$/.test(text)
    ? text.replace(/\/$/, '')
    : wrong('give an https:// address without ? and #.');

export const httpUrl = (text: string) =>
  URL.canParse(text) && /^https?:/.test(text) ? text : wrong('give an http:// address, or none.');

export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '');

export const isLoopback = (url: string) => {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
};

export const additions = ['1.3', '1.4', '1.5', '1.6'] as const;

export function capabilities(text: string): string[] {
  if (text === 'none') return [];
  const all = words(text);
  return all.every((one) => (additions as readonly string[]).includes(one))
    ? all
    : wrong(`give some of ${additions.join(', ')}, or none.`);
}

export function keyNames(text: string): string[] {
  if (text === 'all') return [...otherKeys];
  if (text === 'none') return [];
  const all = words(text).filter((name) => name !== 'full');
  return all.every((name) => otherKeys.includes(name))
    ? all
    : // The input is not repeated: somebody may have given a key in place of its name.
      wrong(`give all, none, or names of keys: ${otherKeys.join(', ')}.`);
}

export const callbackMode = (text: string) =>
  (['none', 'loopback', 'public', 'command'] as const).find((mode) => mode === text) ??
  wrong('answer none, loopback, public or command.');

export const listenAddress = (text: string) =>
  /^(\[[0-9a-fA-F:]+\]|[^:[\]]+):\d{1,5}$/.test(text) ? text : wrong('give address:port, such as 127.0.0.1:8443.');

export const existingFile = (text: string) =>
  existsSync(text) ? text : wrong(`there is no file ${text}; give the path of one, as seen from here.`);

/** Splits words as a shell does; quotes of either kind preserve spaces. */
export function commandWords(text: string): string[] {
  const all = [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
  return all.length === 0 ? wrong('give a command.') : all;
}

/** @returns name and value of `NAME=VALUE` */
function pair(text: string, names: readonly string[]): [name: string, value: string] {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(at, 0)).trim();
  if (!names.includes(name)) wrong(`give NAME=… with one of ${names.join(', ')}.`);
  return [name, text.slice(at + 1).trim()];
}

export function adminCommand(text: string): [name: string, words: string[]] {
  const [name, command] = pair(plain(text), [...adminCommands.keys()]);
  const lacking = (adminCommands.get(name) ?? []).filter((hole) => !command.includes(hole));
  if (lacking.length > 0) wrong(`${name} must say where ${lacking.join(' and ')} goes.`);
  return [name, commandWords(command)];
}

export function openValue(text: string): [name: string, value: unknown] {
  const [name, value] = pair(plain(text), Object.keys(exampleValues));
  return [name, parse(value)];
}
