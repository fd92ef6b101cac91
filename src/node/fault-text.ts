/** @file Formats a fault as text. */
import type { Fault } from '../core/contract';

/**
 * The message of a fault, and below it the words of the server, which the message may announce. Internal details, such as the
 * message of a thrown error, are left out.
 */
export function faultText({ code, message, detail }: Fault): string {
  return detail === undefined || code === 'internal' || code === 'storage-failed' ? message : `${message}\n${detail}`;
}
