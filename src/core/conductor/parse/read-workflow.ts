/**
 * @file Converts three lists of literals to a workflow, and checks it. Each problem has the offset of the
 * wrong entry. If no such entry exists, it has the offset of the list.
 */
import { checkWorkflow, type PlanProblem, type PlanProblemCode, type Step, type Workflow } from '../../contract';
import type { WorkflowLimits } from '../../contract';
import { LIST_NAMES, type FoundList, type ListName } from './find-lists';
import type { Triple } from './group-lists';
import type { Literal } from './literals';

export type WorkflowReading =
  { readonly kind: 'read'; readonly workflow: Workflow } | { readonly kind: 'refused'; readonly problem: PlanProblem };

/** Matches an id in the variants that models use: `"2"`, `Model 2`, `model_id: 2`, `Model id #2`. */
const NUMBERED = /^(?:(?:model|worker|agent)(?:[ _-]?id)?(?:[_#:-]| ?[#:] ?| )?|#)?(\d{1,9})$/i;
const SIGNED = /^[+-]\d{1,9}$/;
/** Maximum length of a string that is parsed as an id or an access entry, in UTF-16 units. */
const LONGEST_ENTRY = 200;
/** Strings that mean that a step sees nothing. */
const NOTHING = new Set(['', 'none', 'null', 'nil', 'undefined', 'nothing', 'false']);

/** Thrown by the functions below, and caught by `readWorkflow`. */
class WrongEntry extends Error {
  constructor(readonly problem: PlanProblem) {
    super(problem.message);
  }
}

/** Converts three lists to a workflow and checks it against the limits. */
export function readWorkflow(triple: Triple, limits: WorkflowLimits): WorkflowReading {
  try {
    return { kind: 'read', workflow: checked(triple, limits) };
  } catch (thrown) {
    if (thrown instanceof WrongEntry) return { kind: 'refused', problem: thrown.problem };
    throw thrown;
  }
}

function checked(triple: Triple, limits: WorkflowLimits): Workflow {
  const workers = itemsOf(triple.model_id);
  const subtasks = itemsOf(triple.subtasks);
  const access = itemsOf(triple.access_list);
  const ids = workers.map(readId);
  const texts = subtasks.map(readSubtask);
  const seen = access.map(readAccess);
  if (ids.length !== texts.length || ids.length !== seen.length) {
    const counts = `model_id has ${ids.length}, subtasks ${texts.length}, access_list ${seen.length}`;
    const message = `The three lists need the same number of entries, but ${counts}.`;
    const shortest = Math.min(ids.length, texts.length, seen.length);
    const odd = LIST_NAMES.find((name) => itemsOf(triple[name]).length !== shortest) ?? 'model_id';
    const at = itemsOf(triple[odd])[shortest]?.at ?? triple[odd].literal.at;
    throw new WrongEntry({ code: 'unequal-lengths', message, at });
  }
  const steps = ids.map((worker, index): Step => {
    const { steps: visible = [], all = false } = seen[index] ?? {};
    const earlier = all && limits.showsEarlier ? { seesEarlier: true } : {};
    return { worker, subtask: texts[index] ?? '', access: visible, ...earlier };
  });
  const problem = countedFromOne(ids, limits) ?? checkWorkflow({ steps }, limits);
  if (problem) throw new WrongEntry({ ...problem, at: offsetOf(problem, triple) });
  return { steps };
}

/**
 * A problem if the ids seem to count from 1. The prompt numbers workers from 0, as the paper does. The ids are not shifted,
 * because a wrong guess would send a subtask to the wrong worker.
 */
function countedFromOne(ids: readonly number[], { poolSize }: WorkflowLimits): PlanProblem | null {
  const at = ids.indexOf(poolSize);
  if (at < 0 || !ids.every((id) => id >= 1 && id <= poolSize)) return null;
  const last = poolSize === 1 ? 'the only worker is 0' : `the first worker is 0 and the last is ${poolSize - 1}`;
  const message = `Step ${at + 1} names worker ${poolSize}, so model_id seems to count from 1. It counts from 0: ${last}.`;
  return { code: 'worker-outside-pool', message, at };
}

function itemsOf(list: FoundList): readonly Literal[] {
  return list.literal.kind === 'list' ? list.literal.items : [];
}

/** The offset of the list entry to which a problem from `checkWorkflow` refers. */
function offsetOf(problem: PlanProblem, triple: Triple): number {
  const list = triple[listOf(problem.code)];
  const entry = itemsOf(list)[problem.at];
  return entry?.at ?? list.literal.at;
}

function listOf(code: PlanProblemCode): ListName {
  switch (code) {
    case 'empty-subtask':
      return 'subtasks';
    case 'access-self':
    case 'access-forward':
    case 'access-outside':
      return 'access_list';
    default:
      return 'model_id';
  }
}

function wrongType(literal: Literal, message: string): never {
  throw new WrongEntry({ code: 'wrong-type', message, at: literal.at });
}

function readId(literal: Literal, index: number): number {
  const id = idOf(literal);
  if (id !== null) return id;
  return wrongType(literal, `Entry ${index + 1} of model_id is ${described(literal)}; it should be a worker's number.`);
}

/** The integer that a literal contains. `null`: it contains none. */
function idOf(literal: Literal): number | null {
  if (literal.kind === 'number') return Number.isSafeInteger(literal.value) ? literal.value + 0 : null;
  if (literal.kind !== 'text' && literal.kind !== 'word') return null;
  if (literal.value.length > LONGEST_ENTRY) return null;
  const value = literal.value.trim();
  const digits = SIGNED.test(value) ? value : NUMBERED.exec(value)?.[1];
  return digits === undefined ? null : Number(digits);
}

function readSubtask(literal: Literal, index: number): string {
  if (literal.kind === 'text') return literal.value;
  const message = `Entry ${index + 1} of subtasks is ${described(literal)}; it should be a string in quotes.`;
  return wrongType(literal, message);
}

interface Access {
  readonly steps: readonly number[];
  readonly all: boolean;
}

function readAccess(literal: Literal, step: number): Access {
  const seen = new Set<number>();
  const words = { all: false };
  if (!collectAccess(literal, { step, seen, words }, true)) {
    const should = '[], "all" or a list of earlier step numbers';
    return wrongType(literal, `Entry ${step + 1} of access_list is ${described(literal)}; it should be ${should}.`);
  }
  return { steps: [...seen].sort((one, other) => one - other), all: words.all };
}

interface Entry {
  readonly step: number;
  readonly seen: Set<number>;
  readonly words: { all: boolean };
}

/** @returns whether the entry could be read */
function collectAccess(literal: Literal, entry: Entry, outermost: boolean): boolean {
  switch (literal.kind) {
    case 'number': {
      const index = idOf(literal);
      if (index !== null) entry.seen.add(index);
      return index !== null;
    }
    case 'text':
    case 'word':
      return collectWord(literal.value, entry);
    case 'list':
      return outermost && literal.items.every((item) => collectAccess(item, entry, false));
    case 'object':
      return false;
    default:
      return literal satisfies never;
  }
}

/** Reads a string that may contain a whole entry: `"all"`, `"[]"`, `"0, 1"`. @returns whether it could be read */
function collectWord(text: string, { step, seen, words }: Entry): boolean {
  if (text.length > LONGEST_ENTRY) return false;
  const bare = text.replaceAll(/[[\]()"'\s]+/g, ' ').trim();
  const word = bare.toLowerCase();
  if (NOTHING.has(word)) return true;
  if (word === 'all') {
    words.all = true;
    for (let index = 0; index < step; index++) seen.add(index);
    return true;
  }
  return bare.split(',').every((part) => {
    const digits = part.trim();
    if (!/^[+-]?\d{1,9}$/.test(digits)) return false;
    seen.add(Number(digits));
    return true;
  });
}

function described(literal: Literal): string {
  switch (literal.kind) {
    case 'list':
      return literal.items.length === 0 ? 'an empty list' : 'a list';
    case 'text':
      return `the text "${shortened(literal.value)}"`;
    case 'number':
      return `the number ${literal.value}`;
    case 'word':
      return literal.value;
    case 'object':
      return 'an object';
    default:
      return literal satisfies never;
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
