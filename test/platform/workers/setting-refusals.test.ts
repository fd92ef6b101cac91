import { describe, expect, test } from 'vitest';
import { outputRefusal, refusedSetting, SYSTEM_ROLE } from '../../../src/platform/workers/setting-refusals';

const SENT = [
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'presence_penalty',
  'seed',
  'stream_options',
  'reasoning_effort',
  'stream',
  SYSTEM_ROLE,
];
const wrapped = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe('a rejected setting is recognized', () => {
  test.each([
    ['temperature', 'Bad temperature: only 1.0 is accepted by this model'],
    ['temperature', 'temperature must be 1 for this model.'],
    ['temperature', 'The temperature parameter must be set to 1'],
    ['temperature', "this model doesn't support temperature=0.4. Only temperature=1 is supported."],
    ['temperature', '`temperature` may only be set to 1 when thinking is enabled.'],
    ['temperature', 'Parameter temperature is disabled here'],
    ['top_p', 'invalid top_p: only 0.95 is allowed for this model'],
    ['top_k', 'Invalid JSON payload received. Unknown name "topK" at generation_config: Cannot find field.'],
    ['top_k', 'Additional properties are not allowed: top-k was unexpected'],
    ['presence_penalty', 'Argument not supported on this model: presencePenalty'],
    ['presence_penalty', 'The presence penalty can not be set for reasoning models'],
    ['max_tokens', "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."],
    ['stream', 'You have to be verified: the organization must be verified to stream this model.'],
    ['stream', 'Streaming is not supported for this deployment'],
    ['stream_options', 'stream_options: only allowed if stream is true'],
    ['reasoning_effort', '"tiny-coder" does not support thinking'],
    ['reasoning_effort', "Unrecognized request argument supplied: 'reasoning_effort'"],
    [SYSTEM_ROLE, 'Error rendering prompt with jinja template: "System role not supported"'],
    [SYSTEM_ROLE, "Unsupported value: 'messages[0].role' does not support 'system' with this model."],
    [SYSTEM_ROLE, 'Developer instruction is not enabled for models/tiny'],
    [SYSTEM_ROLE, 'Conversation roles must alternate user/assistant/user/assistant/...'],
  ])('as %s in the message %j', (setting, message) => {
    for (const body of [wrapped(message), message, { detail: message }, { message }, [wrapped(message)]])
      expect(refusedSetting(400, body, SENT)).toBe(setting);
  });

  test.each([
    ['temperature', wrapped('Unsupported value.', { param: 'temperature', code: 'unsupported_value' })],
    ['seed', { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }] }],
    ['stream', wrapped('This is not allowed yet, whatever the temperature.', { param: 'stream' })],
  ])('as %s in a field of the error', (setting, body) => {
    expect(refusedSetting(422, body, SENT)).toBe(setting);
  });

  test('in the message, even if the error repeats the whole call', () => {
    const body = { ...wrapped('top_k is not supported'), input: { temperature: 0.3, max_tokens: 8, top_k: 4 } };
    expect(refusedSetting(400, body, SENT)).toBe('top_k');
  });

  test('with status 500 only for a chat template without a system role', () => {
    expect(refusedSetting(500, wrapped('Jinja Exception: System role not supported'), SENT)).toBe(SYSTEM_ROLE);
    expect(refusedSetting(500, wrapped("Unsupported parameter: 'seed'"), SENT)).toBeNull();
  });
});

test.each([
  'temperature must be between 0 and 1',
  'temperature must be 1.5 or less',
  'Unknown model seed-oss-36b',
  'This prompt is not allowed.',
  'Unsupported parameter: logprobs',
  'The system is not reachable',
  'max_tokens is too large: 100000',
])('no setting is rejected by %j', (message) => {
  expect(refusedSetting(400, wrapped(message), SENT)).toBeNull();
});

describe('the longest possible answer', () => {
  const context = (fits: number, window = 4096) => ({ of: 'context', context: window, fits });
  test.each([
    [
      "This model's maximum context length is 4096 tokens. However, your request has 96 input tokens plus 4096 'max_tokens'.",
      context(4000),
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 96 input tokens (4096 > 4096 - 96).",
      context(4000),
    ],
    [
      "This model's maximum context length is 4096 tokens. However, you requested 4192 tokens (96 in the messages, 4096 in the completion).",
      context(4000),
    ],
    [
      'This endpoint’s maximum context length is 4,096 tokens. However, you requested about 4,192 tokens (96 of text input, 4,096 in the output).',
      context(4000),
    ],
    [
      "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 4192 tokens: 96 tokens from the input messages and 4096 tokens for the completion.",
      context(4000),
    ],
    [
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 96 `inputs` tokens and 4096 `max_new_tokens`',
      context(4000),
    ],
    [
      'input length and `max_tokens` exceed context limit: 198000 + 4096 > 200000, decrease input length or `max_tokens` and try again',
      context(2000, 200_000),
    ],
    ['max_tokens is too large: 4096. This model supports at most 2048 completion tokens.', { of: 'model', fits: 2048 }],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 2048]', { of: 'model', fits: 2048 }],
    ['max_tokens: 4096 > 2048, which is the maximum allowed number of output tokens', { of: 'model', fits: 2048 }],
    ['`max_tokens` must be less than or equal to `2048`'.replaceAll('`2048`', '2048'), { of: 'model', fits: 2048 }],
    [
      'It has a maxOutputTokens value of 4096 but the supported range is from 1 (inclusive) to 2049 (exclusive).',
      { of: 'model', fits: 2048 },
    ],
  ])('is read from %j', (message, expected) => {
    expect(outputRefusal(400, wrapped(message), 4096)).toEqual(expected);
  });

  test.each([
    "This model's maximum context length is 4096 tokens. However, you requested 9096 tokens (5000 in the messages, 4096 in the completion).",
    'The prompt has 9000 tokens, but the maximum context length is 4096 tokens.',
    'max_tokens is too large: 4096.',
    'Unsupported parameter: max_tokens',
  ])('is not read from %j', (message) => {
    expect(outputRefusal(400, wrapped(message), 4096)).toBeNull();
  });
});
