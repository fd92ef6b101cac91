/** @file Recognizes two reasons for an error response by its words, because servers send them with different statuses. */

const LOADING =
  /\b(?:is|are|still|currently|server) (?:\w+ )?(?:loading|starting|warming up|initiali[sz]ing|spinning up)\b|\bbeing (?:re)?loaded\b|^\W*(?:the )?(?:model )?loading\b|\bloading (?:the )?model\b|\b(?:model|server|engine)\b[^.]{0,60}\bnot (?:yet )?ready\b|\bcold start/i;
const LOAD_FAILED =
  /fail|error (?:while |when )?(?:loading|starting)|unable|could ?n['o’]t|cannot|can['’]t|not enough|insufficient|out of memory|terminated/i;

/** Whether a server reports that it is still loading the model, so that the same call may succeed in a minute. */
export function isLoading(text: string): boolean {
  return LOADING.test(text) && !LOAD_FAILED.test(text);
}

const OTHER_API =
  /(?:\b(?:only|not)|n['’]t)\s+(?:be\s+|currently\s+)?(?:supported|support|accessible|available|compatible|usable|used|work|in|with|an?)\b[^.]{0,50}\b(?:chat[ /]?completions?|chat model|v1\/responses|responses (?:api|endpoint))\b|\bnot support chat\b(?![ _]template)/i;

/** Whether a server reports that the model can’t be used with chat completions, which is the only API that Podium uses. */
export function needsOtherApi(text: string): boolean {
  return OTHER_API.test(text);
}
