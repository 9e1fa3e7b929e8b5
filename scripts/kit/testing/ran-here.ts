/** What tests of programs use that end by themselves: they run them without a process. */
import { jest } from '@jest/globals';

/** Runs a program in this process, with these variables alone. @returns its exit code, and what it has printed */
export async function ranHere(
  main: (argv: readonly string[]) => Promise<number>,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const said = { out: '', err: '' };
  const keeping = (name: keyof typeof said) => (text: unknown) => {
    said[name] += String(text);
    return true;
  };
  const { env: before, stdout, stderr } = process;
  const spies = [
    jest.spyOn(stdout, 'write').mockImplementation(keeping('out')),
    jest.spyOn(stderr, 'write').mockImplementation(keeping('err')),
    jest.spyOn(console, 'log').mockImplementation(keeping('out')),
    jest.spyOn(console, 'error').mockImplementation(keeping('err')),
  ];
  process.env = { ...env };
  try {
    return { code: await main(args), ...said };
  } finally {
    process.env = before;
    for (const spy of spies) spy.mockRestore();
  }
}
