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
  {
    paper: 'repmlp',
    where: 'RepMLPNet, the table of ImageNet',
    claim: 'RepMLPNet-L256 reaches a top-1 of 81.8 on ImageNet',
    why: 'The net has 118 M parameters and 1.3 M images to learn from, which is no training for a desktop. Its sizes are built in, and published weights can be read',
  },
  {
    paper: 'repmlp',
    where: 'RepMLP inside of ResNets',
    claim:
      'in place of convolutions of a ResNet it gains 1.8 points on ImageNet, and most where positions matter, as in aligned faces',
    why: 'No built-in ResNet has it inside, and there are no faces among the data',
  },
]
