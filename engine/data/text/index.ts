import { catalogued } from '../catalogue/index.ts'
import { datasetTable } from '../table.ts'
import type { Corpus, SpanDataset, TextDataset } from '../types.ts'
import { corpusForm, pairForm, textForm } from './form.ts'
import { squad, textFiles } from './sets.ts'
import { tsvKind, tsvPairsKind } from './tsv.ts'
import { corpusKind } from './world/corpus.ts'
import { pairsKind } from './world/pairs.ts'
import { sentencesKind } from './world/sentences.ts'
import { spansKind } from './world/spans.ts'

export * from './sets.ts'

/** Running text by name. */
export const corpora = datasetTable<Corpus>(
  [
    corpusKind, // generated: documents that keep to a topic
    textFiles.kind, // a file, or a folder of files
    catalogued('wikitext-2', textFiles.kind),
  ],
  corpusForm,
)

/** Single texts to be classified. */
export const textData = datasetTable<TextDataset>(
  [
    sentencesKind, // generated: opinions, negative or positive
    tsvKind, // GLUE-style files
  ],
  textForm,
)

/** Pairs of texts to be classified. */
export const pairData = datasetTable<TextDataset>(
  [
    pairsKind, // generated: premise and hypothesis
    tsvPairsKind, // the same, with two columns of text
  ],
  pairForm,
)

/** Questions on passages. */
export const spanData = datasetTable<SpanDataset>([
  spansKind, // generated: who did what to whom
  squad.kind, // SQuAD 1.1 and 2.0
])
