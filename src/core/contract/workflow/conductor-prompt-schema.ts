/** @file The schema of the user's prompts for Conductors, in preferences, in runs and in exported files. */
import * as z from 'zod/mini';
import {
  EXAMPLE_SETS,
  LONGEST_PROMPT,
  MOST_PROMPTS,
  NO_PROMPTS,
  WORKER_NAMINGS,
  type ConductorPrompt,
  type ConductorPrompts,
} from './conductor-prompt';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.maxLength(LONGEST_PROMPT));

export const conductorPromptSchema: z.ZodMiniType<ConductorPrompt> = z.looseObject({
  template: z.optional(z.looseObject({ fixed: text, question: text })),
  examples: z.optional(z.enum(EXAMPLE_SETS)),
  ownExamples: z.optional(text),
  showWorkers: z.optional(z.enum(WORKER_NAMINGS)),
  later: z.optional(text),
});

/** Invalid prompts fall back to the default prompts. */
export const conductorPromptsSchema: z.ZodMiniType<ConductorPrompts> = z.catch(
  z.object({
    all: z.catch(conductorPromptSchema, {}),
    single: z
      .record(z.string().check(z.maxLength(400)), conductorPromptSchema)
      .check(z.refine((prompts) => Object.keys(prompts).length <= MOST_PROMPTS)),
  }),
  NO_PROMPTS,
);
