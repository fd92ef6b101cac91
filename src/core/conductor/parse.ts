/**
 * @file `parseWorkflow` parses a model's answer into a workflow, or returns a problem with a message and an offset. It never
 * runs the answer as code, never throws, and takes linear time.
 */
import type { PlanProblem, Workflow, WorkflowLimits } from '../contract';
import { cutOffList, explain } from './parse/explain';
import { findLists, LIST_NAMES, type FoundLists } from './parse/find-lists';
import { afterThinking, beginOf, endOf, triplesOf, type Triple } from './parse/group-lists';
import { readWorkflow } from './parse/read-workflow';
import type { ParseWork } from './parse/strings';
import { thoughtBefore } from './parse/thought';

/** Longest answer that is read: 2 Mi UTF-16 units. A typical answer of a Conductor has about 4,000 units. */
export const MAX_ANSWER_LENGTH = 2 ** 21;

export interface ParseLimits extends WorkflowLimits {
  /**
   * Whether the token limit ended the answer, as the engine reports (finish reason `length`). Absent: the engine reports no
   * reason. Then an incomplete list at the end of the text means that the answer was cut off.
   */
  readonly cutOff?: boolean;
}

export type ParsedWorkflow =
  | {
      readonly ok: true;
      readonly workflow: Workflow;
      /** The free text before the lists, trimmed. */
      readonly thought: string;
    }
  | {
      readonly ok: false;
      /** `at` is a 0-based offset into the text. */
      readonly problem: PlanProblem;
    };

/**
 * Parses a Conductor's answer. If there are several workflows, the last valid one counts. Lists before the last closing think
 * tag count only if no list follows that tag.
 * @param work receives the number of characters read
 */
export function parseWorkflow(text: string, limits: ParseLimits, work: ParseWork = { steps: 0 }): ParsedWorkflow {
  if (text.length > MAX_ANSWER_LENGTH) {
    const message = `The answer has ${text.length} characters; at most ${MAX_ANSWER_LENGTH} are read.`;
    return { ok: false, problem: { code: 'too-long', message, at: MAX_ANSWER_LENGTH } };
  }
  const start = canonicalStart(text);
  const ending = start < 0 ? null : findLists(text, start, work);
  const canonical = ending && canonicalEnding(text, ending);
  if (canonical) {
    const reading = readWorkflow(canonical, limits);
    if (reading.kind === 'read') return accepted(text, canonical, reading.workflow);
  }
  return choose(text, ending && start === 0 ? ending : findLists(text, 0, work), limits);
}

/**
 * The offset where the canonical form would begin, or -1. The grammar enforces this form: three lists in a fixed order at the end
 * of the text. Strings in this form contain no raw line breaks. So the form begins at the last line that starts with
 * `model_id = [`.
 */
function canonicalStart(text: string): number {
  const opening = 'model_id = [';
  const line = text.lastIndexOf(`\n${opening}`);
  return line < 0 && !text.startsWith(opening) ? -1 : line + 1;
}

/** The three lists. `null` unless they are complete, in the fixed order, and at the end of the text. */
function canonicalEnding(text: string, { lists, failures }: FoundLists): Triple | null {
  const last = lists.at(-1);
  const inOrder = lists.length === 3 && lists.every((list, index) => list.name === LIST_NAMES[index]);
  if (!inOrder || failures.length > 0 || !last || text.slice(last.end).trim() !== '') return null;
  return triplesOf(lists)[0] ?? null;
}

function choose(text: string, all: FoundLists, limits: ParseLimits): ParsedWorkflow {
  const found = { ...all, lists: afterThinking(text, all.lists) };
  const triples = triplesOf(found.lists);
  const open = limits.cutOff === false ? null : cutOffList(found);
  const isDraft = (triple: Triple) => open !== null && open.from > endOf(triple);
  let problem: PlanProblem | null = null;
  for (const triple of triples.toReversed()) {
    if (limits.cutOff && isDraft(triple)) break;
    const reading = readWorkflow(triple, limits);
    if (reading.kind === 'read') return accepted(text, triple, reading.workflow);
    if (!isDraft(triple)) problem ??= reading.problem;
  }
  return { ok: false, problem: problem ?? explain(text, found, limits.cutOff) };
}

function accepted(text: string, triple: Triple, workflow: Workflow): ParsedWorkflow {
  return { ok: true, workflow, thought: thoughtBefore(text, beginOf(triple)) };
}
