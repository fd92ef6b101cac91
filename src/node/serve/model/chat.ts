/** @file Answers requests for chat completions. Each completion is a run of the Conductor with its pool. */
import { toApiError } from '../http/api-error';
import { sendJson, type Exchange, type Route } from '../http/server';
import { answer, Places, type AnswerOptions } from './answer';
import { AnswerReader } from './answer-reader';
import { readChatRequest, type ChatRequest } from './chat-request';
import { callDelta, chunkOf, completionOf, finishReasonOf, usageChunkOf, type CompletionHead } from './completion';
import { EventStream } from './event-stream';
import { respond } from './responses';
import { readResponsesRequest } from './responses-request';
import { servedModels } from './served-models';
import { cutAtStop, StopReader } from './stop-reader';
import type { ToolMode } from './tools';

export interface ChatOptions extends AnswerOptions {
  /** Maximum number of runs at once. */
  readonly concurrency: number;
  /** Whether clients get the plan and the progress of its steps. */
  readonly progress: boolean;
  readonly tools: ToolMode;
}

export function chatRoutes(options: ChatOptions): readonly Route[] {
  const created = Math.floor(options.clock.now() / 1000);
  const models = servedModels(options.engine);
  const data = models.map(({ id }) => ({ id, object: 'model', created, owned_by: 'podium' }));
  const places = new Places(options.concurrency);
  return [
    { method: 'GET', path: '/v1/models', handle: ({ response }) => sendJson(response, 200, { object: 'list', data }) },
    ...data.map((model): Route => ({
      method: 'GET',
      path: `/v1/models/${model.id}`,
      handle: ({ response }) => sendJson(response, 200, model),
    })),
    {
      method: 'POST',
      path: '/v1/chat/completions',
      async handle(exchange) {
        const request = readChatRequest(await exchange.body(), models, options.tools);
        await places.during(() => complete(request, exchange, options));
      },
    },
    {
      method: 'POST',
      path: '/v1/responses',
      async handle(exchange) {
        const request = readResponsesRequest(await exchange.body(), models, options.tools);
        await places.during(() => respond(request, exchange, options));
      },
    },
  ];
}

async function complete(request: ChatRequest, exchange: Exchange, options: ChatOptions): Promise<void> {
  const { model } = request;
  const created = Math.floor(options.clock.now() / 1000);
  const head = { id: `chatcmpl-${exchange.id}`, created, model: model.id };
  const hasProgress = options.progress && !model.isQuiet;
  if (request.streams) return streamAnswer(request, { head, hasProgress, exchange, options });
  let reasoning = '';
  const reader = new AnswerReader({ reasoning: (text) => (reasoning += text), content: () => undefined });
  const answered = await answer(request, (now, event) => reader.read(now, event), options, exchange);
  const cut = cutAtStop(answered.text, request.stop);
  const finish = cut.isCut ? 'stop' : finishReasonOf(answered);
  if (exchange.gone.aborted) return;
  const shown = { content: cut.text, reasoning: hasProgress ? reasoning : null, finish };
  sendJson(exchange.response, 200, completionOf(head, answered, shown));
}

interface Streaming {
  readonly head: CompletionHead;
  readonly hasProgress: boolean;
  readonly exchange: Exchange;
  readonly options: AnswerOptions;
}

async function streamAnswer(request: ChatRequest, { head, hasProgress, exchange, options }: Streaming): Promise<void> {
  const stream = new EventStream(exchange.response);
  const send = (chunk: object) => stream.send(request.includesUsage ? { ...chunk, usage: null } : chunk);
  let hasBegun = false;
  const begin = () => {
    if (!hasBegun) send(chunkOf(head, { role: 'assistant', content: '' }));
    hasBegun = true;
  };
  const stop = new StopReader(request.stop);
  const sendContent = (text: string) => {
    if (text === '') return;
    begin();
    send(chunkOf(head, { content: text }));
  };
  const reader = new AnswerReader({
    reasoning(text) {
      if (!hasProgress) return;
      begin();
      send(chunkOf(head, { reasoning_content: text }));
    },
    // An answer that must have a form is sent once it has the form.
    content: (text) => (request.form ? undefined : sendContent(stop.push(text))),
  });
  try {
    const answered = await answer(request, (now, event) => reader.read(now, event), options, exchange);
    if (exchange.gone.aborted) return;
    begin();
    if (request.form) sendContent(stop.push(answered.text));
    else reader.finish(answered.run);
    sendContent(stop.finish());
    if (answered.calls.length > 0) send(chunkOf(head, callDelta(answered.calls)));
    send(chunkOf(head, {}, stop.isCut ? 'stop' : finishReasonOf(answered)));
    if (request.includesUsage) stream.send(usageChunkOf(head, answered));
    stream.send('[DONE]');
    stream.end();
  } catch (thrown) {
    if (!stream.isOpen || exchange.gone.aborted) throw thrown;
    // The status is already sent, so the error is sent as an event. No [DONE] follows it.
    stream.send(toApiError(thrown).body);
    stream.end();
  } finally {
    stream.stop();
  }
}
