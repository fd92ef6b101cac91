/** @file The schema of the user's prompts for Conductors, in preferences, in runs and in exported files. */
import * as z from 'zod/mini';
import {
  EXAMPLE_SETS,
  LESSON_LIMITS,
  LONGEST_PROMPT,
  MOST_PROMPTS,
  NO_PROMPTS,
  WORKER_NAMINGS,
  type ConductorPrompt,
  type ConductorPrompts,
  type LearnedLessons,
} from './conductor-prompt';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.maxLength(LONGEST_PROMPT));
const lessonText = z.string().check(z.maxLength(LESSON_LIMITS.length));
const id = z.string().check(z.maxLength(400));

export const conductorPromptSchema: z.ZodMiniType<ConductorPrompt> = z.looseObject({
  template: z.optional(z.looseObject({ fixed: text, question: text })),
  examples: z.optional(z.enum(EXAMPLE_SETS)),
  ownExamples: z.optional(text),
  showWorkers: z.optional(z.enum(WORKER_NAMINGS)),
  later: z.optional(text),
  lessons: z.optional(z.array(lessonText).check(z.maxLength(LESSON_LIMITS.count))),
});

const learnedLessonsSchema: z.ZodMiniType<LearnedLessons> = z.object({
  conductor: id,
  model: z.optional(z.string()),
  pool: z.array(z.object({ id, name: z.string(), model: z.string() })),
  lessons: z
    .array(z.object({ text: lessonText, isOff: z.optional(z.boolean()) }))
    .check(z.maxLength(LESSON_LIMITS.count)),
});

/** Invalid prompts fall back to the default prompts. */
export const conductorPromptsSchema: z.ZodMiniType<ConductorPrompts> = z.catch(
  z.object({
    all: z.catch(conductorPromptSchema, {}),
    single: z
      .record(id, conductorPromptSchema)
      .check(z.refine((prompts) => Object.keys(prompts).length <= MOST_PROMPTS)),
    learned: z.catch(z.optional(z.readonly(z.array(learnedLessonsSchema).check(z.maxLength(MOST_PROMPTS)))), undefined),
  }),
  NO_PROMPTS,
);
