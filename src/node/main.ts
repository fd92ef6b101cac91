/** @file Runs a command of the command line and determines the exit code. */
import { version } from '../../package.json';
import { isAbort, toFault } from '../core/contract';
import type { Command, Terminal } from './command';
import { readCommandLine } from './command-line';
import { readConfig } from './config';
import { EXIT, UsageError, type ExitCode } from './exit-codes';

const USAGE = `podium [COMMAND] [options]

  open     Serves Podium's page on this machine and opens it (the default)
  run      Answers one question
  plan     Estimates the calls and the cost of an evaluation
  eval     Carries out an evaluation, or one shard of it
  merge    Merges the results of the shards of an evaluation
  serve    Serves the Conductor as a model, or rewards for trainers
  mcp      Serves the Conductor as tools of the Model Context Protocol
  measure  Measures how able the workers of a pool are
  prompts  Exports prompts for training a Conductor
  teach    Learns lessons for a Conductor from graded runs

podium COMMAND --help shows the options of a command. docs/command-line.md describes all commands.
`;

/** Lazy-loads the commands, so that `podium serve` does not load the code of evaluations. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  open: async () => (await import('./open/open-command')).openCommand,
  run: async () => (await import('./run/run-command')).runCommand,
  plan: async () => (await import('./eval/plan-command')).planCommand,
  eval: async () => (await import('./eval/eval-command')).evalCommand,
  merge: async () => (await import('./eval/merge-command')).mergeCommand,
  serve: async () => (await import('./serve/serve-command')).serveCommand,
  mcp: async () => (await import('./mcp/mcp-command')).mcpCommand,
  measure: async () => (await import('./measure/measure-command')).measureCommand,
  prompts: async () => (await import('./prompts/prompts-command')).promptsCommand,
  teach: async () => (await import('./teach/teach-command')).teachCommand,
};

/** Runs a command and returns the exit code. Prints errors and never throws. */
export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first = '', ...others] = args;
  const isHelp = ['--help', '-h', 'help'].includes(first);
  // Without a command, the arguments are options of `open`.
  const [name, rest] = first === '' || (first.startsWith('-') && !isHelp) ? ['open', args] : [first, others];
  try {
    if (first === '--version') return (terminal.out(`${version}\n`), EXIT.done);
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load) {
      (isHelp ? terminal.out : terminal.error)(isHelp ? USAGE : `There is no command “${name}”.\n\n${USAGE}`);
      return isHelp ? EXIT.done : EXIT.usage;
    }
    const command = await load();
    const line = readCommandLine(rest, command.options);
    if (line.has('help')) return (terminal.out(command.usage), EXIT.done);
    return await command.run({ line, config: await readConfig(line.text('config')), terminal });
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      terminal.error(`${thrown.message}\n`);
      return EXIT.usage;
    }
    if (terminal.interrupted.aborted && isAbort(thrown)) return EXIT.interrupted;
    const { code, message, detail } = toFault(thrown);
    terminal.error(`${message}${detail === undefined ? '' : `\n${detail}`}\n`);
    if (code === 'cap-reached') return EXIT.incomplete;
    return USAGE_FAULTS.has(code) ? EXIT.usage : EXIT.failed;
  }
}

/** Faults that count as invalid input from the user. */
const USAGE_FAULTS: ReadonlySet<string> = new Set(['empty-question', 'no-workers', 'bad-request', 'price-unknown']);
