/** The commands of the package. */
import { VERSION } from '../version.ts';
import { type CommandContext, CommandError, EXIT, helpOf } from './command-line.ts';
import { explained } from './connection.ts';
import { printable } from './lines.ts';
import { LISTEN, listen } from './listen.ts';
import { type EventCause, TRIGGER, trigger } from './trigger.ts';

const COMMANDS = { listen: LISTEN, trigger: TRIGGER } as const;

const isCommand = (word = ''): word is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, word);

function helpOfAll(name: string): string {
  const rows = Object.entries(COMMANDS).map(([command, { about }]) => `  ${command.padEnd(8)}  ${about}`);
  return `Usage: ${name} COMMAND [options]\n\nWebhooks of the Developer API on this machine.\n\n${rows.join('\n')}\n\n${name} COMMAND --help shows more.\n`;
}

/** @param cause what causes events other than the test, where there is something @returns the exit code */
export async function webhookCommands(
  argv: readonly string[],
  surroundings: CommandContext,
  cause?: EventCause,
): Promise<number> {
  const { name } = surroundings;
  // Answers, events and addresses are text of others.
  const stdout = (text: string) => surroundings.stdout(printable(text));
  const stderr = (text: string) => surroundings.stderr(printable(text));
  const context: CommandContext = { ...surroundings, stdout, stderr };
  const [command, ...rest] = argv;
  if (command === '--version') {
    stdout(`${VERSION}\n`);
    return EXIT.ok;
  }
  if (!isCommand(command)) {
    const isAsked = command === '--help' || command === '-h';
    if (command !== undefined && !isAsked) stderr(`There is no command ${command}.\n\n`);
    (isAsked ? stdout : stderr)(helpOfAll(name));
    return isAsked ? EXIT.ok : EXIT.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    stdout(helpOf(name, command, COMMANDS[command]));
    return EXIT.ok;
  }
  try {
    return await (command === 'listen' ? listen(rest, context) : trigger(rest, context, cause));
  } catch (error) {
    const known = explained(error);
    if (!(known instanceof CommandError)) throw known;
    stderr(`${known.message}\n`);
    return known.exitCode;
  }
}
