/** The settings tool as tests run it: in this process, with its output as texts. */
import { expect } from '@jest/globals';
import { keptOutput } from '../../testbed/test-surroundings.ts';
import { settings } from './main.ts';
import type { Surroundings } from './terminal.ts';

/** @param surroundings overrides, read for each command line; without it, the time does not change */
export function settingsTool(surroundings: () => Pick<Surroundings, 'env'> & Partial<Surroundings>) {
  async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
    const { stdout, ...given } = surroundings();
    const { written, ...output } = keptOutput(stdout);
    const code = await settings(argv, { now: () => new Date('2026-03-02T05:00:00Z'), ...given, ...output });
    return { code, ...written };
  }

  async function words(...argv: string[]): Promise<string> {
    const { code, out, err } = await run(...argv);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers differ from command to command
  const json = async (...argv: string[]): Promise<any> => JSON.parse(await words(...argv, '--json'));

  /** The message of a command that must be refused with exit code 1. */
  async function refused(...argv: string[]): Promise<string> {
    const { code, out, err } = await run(...argv);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.any(String) });
    return err;
  }

  return { run, words, json, refused };
}
