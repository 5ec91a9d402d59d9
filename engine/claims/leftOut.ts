import type { PaperName } from './papers.ts'

/** A claim of a paper that no notebook tries. */
export interface LeftOut {
  paper: PaperName
  /** Where in the paper. */
  where: string
  claim: string
  /** Why it is not tried. */
  why: string
}

/** What the papers claim and no notebook tries. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    paper: 'resmlp',
    where: 'tables 2 and 3',
    claim:
      'ResMLP learns from images without labels, by DINO, less well than a Transformer and a ResNet: 67.5 and 72.8 with a linear probe against 77.0 and 75.3',
    why: 'DINO compares several views of an image with what a moving average of the network makes of them, while both train. A study has one view of an example, and a teacher only once that is trained',
  },
  {
    paper: 'resmlp',
    where: 'table 5, the half from sequence to sequence',
    claim: 'as encoder and decoder of a translation ResMLP is about as good as a Transformer',
    why: 'No task has an encoder that a decoder reads while it writes, and among the data there are no sentences in two languages and no score of translations. The half that looks back alone is tried, in resmlp/translation',
  },
]
