/** @file The generated families as the tasks of a measurement. */
import { MEASURED_FAMILIES, measuredTask } from '../families';
import { NO_ANSWER } from '../families/definition';
import type { MeasuringTasks } from './tasks';

const BY_ID = new Map(MEASURED_FAMILIES.map((family) => [family.id, family]));

export const GENERATED_TASKS: MeasuringTasks = {
  revision: 1,
  families: MEASURED_FAMILIES.map(({ id, domain, levels }) => ({ id, domain, levels })),
  make({ family: id, level, seed }) {
    const family = BY_ID.get(id);
    if (!family) throw new RangeError(`There is no family ${id}.`);
    const task = measuredTask(id, level, seed);
    return {
      question: task.question,
      right: `Answer: ${task.reference}`,
      wrong: (random) => `Answer: ${family.wrongAnswer(task, random)}`,
      check: (text) => {
        const { correct, detail } = family.check(task, text);
        return { right: correct, readable: detail !== NO_ANSWER };
      },
    };
  },
};
