/** @file Reads a file of tasks: JSON lines with a question, a grader, and a reference if the grader needs one. */
import * as z from 'zod/mini';
import { isConfidentialRow, isRecord, parseJson } from '../core/contract';
import { UsageError } from './exit-codes';
import type { PromptTask } from './prompts/prompt-rows';
import { readTextFile } from './read-text';
import { taskSchema } from './serve/score/score-request';

/** Throws a `UsageError` if the file can't be read or a line is no task. @param warn called with a sentence about tasks that are left out */
export async function readTaskFile(file: string, warn: (sentence: string) => void): Promise<readonly PromptTask[]> {
  const lines = await readTextFile(file);
  const tasks: PromptTask[] = [];
  let number = 0;
  let confidential = 0;
  for (const text of lines.split('\n')) {
    number += 1;
    if (text.trim() === '') continue;
    const where = `${file}, line ${number}`;
    const value = parseJson(text);
    if (isRecord(value) && isConfidentialRow(value)) confidential += 1;
    else tasks.push(taskOf(value, where, String(number)));
  }
  if (confidential > 0) {
    warn(`Left out ${confidential} tasks of GPQA, because its questions must not be written to files.`);
  }
  return tasks;
}

const taskLine = z.extend(taskSchema, { id: z.optional(z.string()) });

function taskOf(value: unknown, where: string, number: string): PromptTask {
  if (value === undefined) throw new UsageError(`${where} is not JSON.`);
  const parsed = z.safeParse(taskLine, value);
  if (parsed.success) return { id: parsed.data.id ?? number, task: parsed.data };
  const [issue] = parsed.error.issues;
  throw new UsageError(`${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}.`);
}
