/** @file Reads the options and the other arguments of a command. API keys are never read from arguments. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './exit-codes';

export type OptionTypes = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string; readonly multiple?: boolean }>
>;

/** The options that every command has. */
const COMMON = {
  config: { type: 'string' },
  pool: { type: 'string' },
  keys: { type: 'string' },
  conductor: { type: 'string' },
  'max-cost': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTypes;

export interface CommandLine {
  /** The arguments that are not options, in order. */
  readonly texts: readonly string[];
  /** The value of an option. `null` if the option is not given. */
  text(name: string): string | null;
  /** The values of an option that may be given several times. */
  all(name: string): readonly string[];
  /** Whether an option of type `boolean` is given. */
  has(name: string): boolean;
  /** The value of an option with a few possible values. `null` if it is not given. Throws a `UsageError` for other values. */
  choice<Value extends string>(name: string, values: readonly Value[]): Value | null;
  /**
   * The value of an option as a number. `null` if the option is not given. Throws a `UsageError` if the value
   * is not a number or is less than `least`.
   */
  number(name: string, least: number): number | null;
  /** Like `number`, for whole numbers only. */
  count(name: string, least: number): number | null;
}

/**
 * Reads the arguments. Throws a `UsageError` for an unknown option or a missing value.
 * @param own the options that only this command has
 */
export function readCommandLine(args: readonly string[], own: OptionTypes): CommandLine {
  const { values, positionals } = parsed({ args: [...args], options: { ...COMMON, ...own }, allowPositionals: true });
  const text = (name: string): string | null => {
    const value = values[name];
    return typeof value === 'string' ? value : null;
  };
  const number = (name: string, least: number, isWhole = false): number | null => {
    const given = text(name);
    if (given === null) return null;
    const value = Number(given);
    if (given.trim() === '' || !Number.isFinite(value) || value < least || (isWhole && !Number.isInteger(value))) {
      throw new UsageError(
        `--${name} must be a ${isWhole ? 'whole ' : ''}number of at least ${least}, not “${given}”.`,
      );
    }
    return value;
  };
  return {
    texts: positionals,
    text,
    all: (name) => {
      const value = values[name] ?? [];
      return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    },
    choice(name, choices) {
      const given = text(name);
      const found = choices.find((choice) => choice === given);
      if (given === null || found !== undefined) return found ?? null;
      throw new UsageError(`--${name} must be ${choices.join(' or ')}, not “${given}”.`);
    },
    has: (name) => values[name] === true,
    number,
    count: (name, least) => number(name, least, true),
  };
}

function parsed(config: ParseArgsConfig) {
  try {
    return parseArgs(config);
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
