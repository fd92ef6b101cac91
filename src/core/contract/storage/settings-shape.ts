/**
 * @file The schema of run settings. Both runs and batches store such settings. A batch stores them
 * once for each of its methods.
 */
import * as z from 'zod/mini';
import { accessScheme, amount, caps, conductor, poolWorker, sampling } from './schema-parts';
import { EFFORTS } from '../run/effort';
import { MOST_PLAN_RETRIES, PLAN_CHOICES, PLAN_SECONDS, RECURSION_MODES, SETTING_DEFAULTS } from '../run/settings';
import { conductorPromptSchema } from '../workflow/conductor-prompt-schema';

export const recursionMode = z.enum(RECURSION_MODES);
export const planRetries = z.int().check(z.gte(0), z.lte(MOST_PLAN_RETRIES));
export const planSeconds = z.int().check(z.gte(PLAN_SECONDS.least), z.lte(PLAN_SECONDS.most));

/**
 * Every setting except the question and the seed. Some fields have a default, because records of older
 * versions lack them.
 */
export const settingsShape = {
  pool: z.array(poolWorker),
  conductor,
  recursion: z.boolean(),
  maxSteps: amount,
  caps,
  sampling,
  effort: z._default(z.enum(EFFORTS), SETTING_DEFAULTS.effort),
  access: z._default(accessScheme, SETTING_DEFAULTS.access),
  candidates: z._default(amount, SETTING_DEFAULTS.candidates),
  choice: z._default(z.enum(PLAN_CHOICES), SETTING_DEFAULTS.choice),
  approval: z._default(z.boolean(), SETTING_DEFAULTS.approval),
  planTemperature: z.optional(amount),
  prompt: z.optional(conductorPromptSchema),
  recursionMode: z._default(recursionMode, SETTING_DEFAULTS.recursionMode),
  planRetries: z._default(planRetries, SETTING_DEFAULTS.planRetries),
  planSeconds: z.optional(planSeconds),
  leaveOutFailed: z.optional(z.boolean()),
};
