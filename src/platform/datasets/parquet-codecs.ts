/**
 * @file Decompression for Parquet. Loaded only for files that need it. Snappy is missing here, because the Parquet reader
 * contains it.
 */
import {
  decompressBrotli,
  decompressGzip,
  decompressLz4,
  decompressLz4Raw,
  decompressZstd,
  type Compressors,
} from 'hyparquet-compressors';

export const codecs: Compressors = {
  BROTLI: decompressBrotli,
  GZIP: decompressGzip,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  ZSTD: (input) => decompressZstd(input),
};
