/** @file The faults of files that can't be attached. The sentences are for the user and don't name the file. */
import { fault, FaultError } from '../../core/contract';

export function refused(message: string): FaultError {
  return new FaultError(fault('bad-request', message));
}

export function tooLong(): FaultError {
  return refused('This file has more than 4 million characters, which no model reads. Attach a part of it.');
}

export function unreadable(): FaultError {
  return refused('Podium can’t read this kind of file. Attach text, Markdown, code, CSV, JSON, PDF or Word (.docx).');
}
