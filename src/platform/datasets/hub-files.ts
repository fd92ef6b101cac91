/** @file Lists the tables (JSONL, JSON, CSV and Parquet files) of a dataset on the Hugging Face hub. */
import * as z from 'zod/mini';
import { fault, FaultError, type HubFile } from '../../core/contract';
import { infoUrl, type DatasetAddress } from './hub-address';
import { brokenReply } from './hub-faults';
import { NO_PATIENCE, type HubClient } from './hub-request';
import { formatOf } from './table-format';

const datasetInfo = z.object({
  sha: z.string().check(z.regex(/^[0-9a-f]{7,64}$/)),
  siblings: z.array(z.object({ rfilename: z.string(), size: z.optional(z.nullable(z.number())) })),
});

/** The tables of a dataset at one commit. */
export interface HubListing {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

export async function listTables(client: HubClient, address: DatasetAddress, signal: AbortSignal): Promise<HubListing> {
  const request = { url: infoUrl(address, client.host), address, file: null };
  const response = await client.send(request, NO_PATIENCE, signal);
  const parsed = datasetInfo.safeParse(await jsonOf(response, signal));
  if (!parsed.success) throw brokenReply('the list of files has an unknown format.');
  const all = parsed.data.siblings.flatMap(({ rfilename, size }) => {
    const format = formatOf(rfilename);
    return format === null ? [] : [{ path: rfilename, bytes: size ?? null, format }];
  });
  // If a dataset has tables of other formats, its JSON files usually contain only metadata.
  const others = all.filter(({ format }) => format !== 'json');
  return { commit: parsed.data.sha, files: others.length > 0 ? others : all };
}

async function jsonOf(response: Response, signal: AbortSignal): Promise<unknown> {
  try {
    const value: unknown = await response.json();
    return value;
  } catch {
    signal.throwIfAborted();
    throw brokenReply('the list of files is cut off.');
  }
}

/**
 * Finds the file at a path in a listing. If no path is given, returns the only file of the listing. Throws a `FaultError`
 * (`not-found`) if there is no such file, or if no path is given and there are several files.
 */
export function chooseFile({ files }: HubListing, path: string | undefined, { repository }: DatasetAddress): HubFile {
  if (files.length === 0) {
    throw new FaultError(
      fault('not-found', `${repository} has no JSONL, JSON, CSV or Parquet file. Choose another dataset.`),
    );
  }
  const [only] = files;
  const found = path === undefined ? (files.length === 1 ? only : undefined) : files.find((file) => file.path === path);
  if (found) return found;
  const names = files.slice(0, 5).map((file) => file.path);
  const more = files.length > names.length ? `, and ${files.length - names.length} more` : '';
  const start = path === undefined ? `${repository} has several tables` : `${repository} has no table “${path}”`;
  throw new FaultError(fault('not-found', `${start}. Choose one: ${names.join(', ')}${more}.`));
}
