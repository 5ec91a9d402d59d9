import { catalogued } from '../catalogue/index.ts'
import { datasetTable } from '../table.ts'
import type { Corpus, DataSpec, SpanDataset, TextDataset } from '../types.ts'
import { type SquadOptions, squadKind } from './squad.ts'
import { type TextFilesOptions, textFilesKind } from './text-files.ts'
import { MNLI, SST2, type TsvOptions, type TsvPairOptions, tsvKind, tsvPairsKind } from './tsv.ts'
import { corpusKind } from './world/corpus.ts'
import { pairsKind } from './world/pairs.ts'
import { sentencesKind } from './world/sentences.ts'
import { spansKind } from './world/spans.ts'
import type { WorldOptions } from './world/split.ts'

/** Running text by name; a new one is its file and a line here. */
export const corpora = datasetTable<Corpus>([
  corpusKind, // generated: documents that keep to a topic
  textFilesKind, // a file, or a folder of files
  catalogued('wikitext-2', textFilesKind),
])

/** Single texts to be classified. */
export const textData = datasetTable<TextDataset>([
  sentencesKind, // generated: opinions, negative or positive
  tsvKind, // GLUE-style files
])

/** Pairs of texts to be classified. */
export const pairData = datasetTable<TextDataset>([
  pairsKind, // generated: premise and hypothesis
  tsvPairsKind, // the same, with two columns of text
])

/** Questions on passages. */
export const spanData = datasetTable<SpanDataset>([
  spansKind, // generated: who did what to whom
  squadKind, // SQuAD 1.1 and 2.0
])

/**
 * A small world of people and things: a corpus for `mlm`, opinions for `sequence`, premises and hypotheses for `pair`,
 * stories with questions for `span`. Generated, nothing to download.
 */
export function world(options: WorldOptions = {}): DataSpec {
  return { dataset: 'world', options: { ...options } }
}

/** Plain text in UTF-8, a file or a folder of files, read piece by piece. */
export function textFiles(options: TextFilesOptions): DataSpec {
  return { dataset: 'textFiles', options: { ...options } }
}

/** Texts and labels, or with `columns.second` pairs of texts, in tab-separated files in the folder `path`. */
export function tsv(options: TsvOptions | TsvPairOptions): DataSpec {
  return { dataset: 'tsv', options: { ...options } }
}

/** SST-2 as GLUE has it: `train.tsv` and `dev.tsv` in the folder `path`. */
export function sst2(options: Partial<TsvOptions> & { path: string }): DataSpec {
  return { dataset: 'tsv', options: { ...SST2, ...options } }
}

/** MNLI as GLUE has it: `train.tsv`, `dev_matched.tsv` and `dev_mismatched.tsv` in the folder `path`. */
export function mnli(options: Partial<TsvPairOptions> & { path: string }): DataSpec {
  return { dataset: 'tsv', options: { ...MNLI, ...options } }
}

/** SQuAD 1.1 or 2.0: `train-v*.json` and `dev-v*.json` in the folder `path`. */
export function squad(options: SquadOptions): DataSpec {
  return { dataset: 'squad', options: { ...options } }
}
