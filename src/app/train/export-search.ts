/** @file Exports a search as JSON lines, in the format that `podium teach` writes: candidates, parents, and scores by task. */
import type { StoredSearch } from '../../core/lessons/searches';
import { trainerLines, type PlanSource, type TrainerForm } from '../../core/lessons/trainer-export';
import { chooseTarget, dateInName, streamOf, type ChooseTarget } from '../state/save-file';

/** Asks where to save, and writes the events. Needs a user gesture. */
export async function exportSearch(search: StoredSearch, choose: ChooseTarget = chooseTarget): Promise<void> {
  const target = await choose(`podium-teach-${dateInName(search.startedAt)}.podium-search.jsonl`);
  await target?.write(streamOf(searchLines(search)), new AbortController().signal);
}

const TRAINER_NAMES: Readonly<Record<TrainerForm, string>> = { examples: 'sft', pairs: 'preferences' };

/** Asks where to save, and writes the plans of the search for trainers. Needs a user gesture. */
export async function exportForTrainers(
  search: StoredSearch,
  form: TrainerForm,
  source: PlanSource,
  choose: ChooseTarget = chooseTarget,
): Promise<void> {
  const target = await choose(`podium-teach-${dateInName(search.startedAt)}.${TRAINER_NAMES[form]}.jsonl`);
  const lines = async function* () {
    for await (const line of trainerLines(search.state, form, source)) yield `${JSON.stringify(line)}\n`;
  };
  await target?.write(streamOf(lines()), new AbortController().signal);
}

/** The lines of the file. Confidential tasks are left out with what the reflecting model read and wrote about them. */
export async function* searchLines({ events, setup }: StoredSearch): AsyncGenerator<string, void, undefined> {
  const { isConfidential } = setup.dataset;
  for (const { id: _id, seq: _seq, at: _at, setup: _setup, ...event } of events) {
    if (!isConfidential) yield `${JSON.stringify(event)}\n`;
    else if (event.type === 'run-graded') {
      const { feedback: _feedback, ...rest } = event;
      yield `${JSON.stringify(rest)}\n`;
    } else yield `${JSON.stringify(event.type === 'reflection-answered' ? { ...event, text: '' } : event)}\n`;
  }
}
