/** @file Answers requests to the Responses API. Each response is a run of the Conductor with its pool. */
import type { Answered, AnswerOptions } from './answer';
import { answer } from './answer';
import { toApiError } from '../http/api-error';
import { sendJson, type Exchange } from '../http/server';
import { AnswerReader } from './answer-reader';
import { finishReasonOf } from './completion';
import { EventStream } from './event-stream';
import type { ResponsesRequest } from './responses-request';
import { usageOf } from './usage';

export interface ResponsesOptions extends AnswerOptions {
  /** Whether clients get the plan and the progress of its steps. */
  readonly progress: boolean;
}

export async function respond(request: ResponsesRequest, exchange: Exchange, options: ResponsesOptions): Promise<void> {
  const created_at = Math.floor(options.clock.now() / 1000);
  const base = { id: `resp_${exchange.id}`, object: 'response', created_at, model: request.model.id, ...ECHOED };
  const stream = request.streams ? new EventStream(exchange.response) : null;
  let number = 0;
  const send = (type: string, data: object) => stream?.send({ type, sequence_number: number++, ...data }, type);
  const output = new OutputWriter(exchange.id, send);
  const begin = () => {
    if (number > 0) return;
    const response = { ...base, ...UNFINISHED, status: 'in_progress', output: [] };
    send('response.created', { response });
    send('response.in_progress', { response });
  };
  const hasProgress = options.progress && !request.model.isQuiet;
  const reader = new AnswerReader({
    reasoning(text) {
      if (!hasProgress) return;
      begin();
      output.reasoning(text);
    },
    content(text) {
      // An answer that must have a form is sent once it has the form.
      if (request.form) return;
      begin();
      output.text(text);
    },
  });
  try {
    const answered = await answer(request, (now, event) => reader.read(now, event), options, exchange);
    if (exchange.gone.aborted) return;
    begin();
    if (request.form) output.text(answered.text);
    else reader.finish(answered.run);
    const response = { ...base, ...ended(answered), output: output.finish(answered) };
    if (!stream) return sendJson(exchange.response, 200, response);
    send(response.status === 'completed' ? 'response.completed' : 'response.incomplete', { response });
    stream.end();
  } catch (thrown) {
    if (!stream?.isOpen || exchange.gone.aborted) throw thrown;
    // The status is already sent, so the error is sent as an event.
    const { code, message } = toApiError(thrown).body.error;
    const response = { ...base, ...UNFINISHED, status: 'failed', error: { code, message }, output: output.items };
    send('response.failed', { response });
    stream.end();
  } finally {
    stream?.stop();
  }
}

/** Fields that clients expect, and that have no meaning here. */
const ECHOED = { metadata: {}, instructions: null, parallel_tool_calls: true, tool_choice: 'auto', tools: [] };
const UNFINISHED = { error: null, incomplete_details: null, usage: null };

function ended(answered: Answered) {
  const { input, output, cached, reasoning, cost } = usageOf(answered.runs);
  const finish = finishReasonOf(answered);
  const reason = finish === 'length' ? 'max_output_tokens' : finish === 'content_filter' ? finish : null;
  return {
    status: reason === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason && { reason },
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached ?? 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
      total_tokens: input + output,
      ...(cost === null ? {} : { cost }),
    },
  };
}

/** Builds the items of the output, and sends the events of each. */
class OutputWriter {
  readonly #id: string;
  readonly #send: (type: string, data: object) => void;
  readonly #items: object[] = [];
  /** The item that is being written, with its text. */
  #open: { readonly kind: 'reasoning' | 'message'; text: string } | null = null;

  constructor(id: string, send: (type: string, data: object) => void) {
    this.#id = id;
    this.#send = send;
  }

  /** The finished items. */
  get items(): readonly object[] {
    return this.#items;
  }

  reasoning(text: string): void {
    this.#write('reasoning', text);
    this.#send('response.reasoning_summary_text.delta', { ...this.#place(), summary_index: 0, delta: text });
  }

  text(text: string): void {
    if (text === '') return;
    this.#write('message', text);
    this.#send('response.output_text.delta', { ...this.#place(), content_index: 0, delta: text, logprobs: [] });
  }

  /** Ends the text and adds the calls of tools. @returns all items */
  finish({ calls }: Answered): readonly object[] {
    // An empty answer is a message, too.
    if (calls.length === 0 && this.#open?.kind !== 'message') this.#write('message', '');
    this.#close();
    for (const { id, name, arguments: args } of calls) {
      const place = { item_id: `fc_${id}`, output_index: this.#items.length };
      const item = { type: 'function_call', id: place.item_id, call_id: id, name };
      const { output_index } = place;
      this.#send('response.output_item.added', {
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      });
      this.#send('response.function_call_arguments.delta', { ...place, delta: args });
      this.#send('response.function_call_arguments.done', { ...place, name, arguments: args });
      const done = { ...item, arguments: args, status: 'completed' };
      this.#send('response.output_item.done', { output_index, item: done });
      this.#items.push(done);
    }
    return this.#items;
  }

  #write(kind: 'reasoning' | 'message', text: string): void {
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#open = { kind, text: '' };
      const { item_id, output_index } = this.#place();
      this.#send('response.output_item.added', { output_index, item: itemOf(kind, item_id, null) });
      if (kind === 'reasoning') {
        const part = { type: 'summary_text', text: '' };
        this.#send('response.reasoning_summary_part.added', { item_id, output_index, summary_index: 0, part });
      } else {
        this.#send('response.content_part.added', { item_id, output_index, content_index: 0, part: textPart('') });
      }
    }
    if (this.#open) this.#open.text += text;
  }

  #close(): void {
    if (!this.#open) return;
    const { kind, text } = this.#open;
    const place = this.#place();
    if (kind === 'reasoning') {
      const part = { type: 'summary_text', text };
      this.#send('response.reasoning_summary_text.done', { ...place, summary_index: 0, text });
      this.#send('response.reasoning_summary_part.done', { ...place, summary_index: 0, part });
    } else {
      this.#send('response.output_text.done', { ...place, content_index: 0, text, logprobs: [] });
      this.#send('response.content_part.done', { ...place, content_index: 0, part: textPart(text) });
    }
    const item = itemOf(kind, place.item_id, text);
    this.#send('response.output_item.done', { output_index: place.output_index, item });
    this.#items.push(item);
    this.#open = null;
  }

  #place() {
    const output_index = this.#items.length;
    return { item_id: `${this.#open?.kind === 'reasoning' ? 'rs' : 'msg'}_${this.#id}_${output_index}`, output_index };
  }
}

/** @param text `null`: the item has only begun */
function itemOf(kind: 'reasoning' | 'message', id: string, text: string | null): object {
  if (kind === 'reasoning') {
    return { type: kind, id, summary: text === null ? [] : [{ type: 'summary_text', text }] };
  }
  const status = text === null ? 'in_progress' : 'completed';
  return { type: kind, id, role: 'assistant', status, content: text === null ? [] : [textPart(text)] };
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
