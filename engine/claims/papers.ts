/** A paper whose claims are tried. */
export interface Paper {
  title: string
  authors: string
  /** The address of its abstract. */
  url: string
}

/** The papers, in the order in which their claims are shown; the folders of `experiments` have these names. */
export const PAPERS = {
  gmlp: {
    title: 'Pay Attention to MLPs',
    authors: 'Liu et al. 2021',
    url: 'https://arxiv.org/abs/2105.08050',
  },
  mixer: {
    title: 'MLP-Mixer: An all-MLP Architecture for Vision',
    authors: 'Tolstikhin et al. 2021',
    url: 'https://arxiv.org/abs/2105.01601',
  },
  resmlp: {
    title: 'ResMLP: Feedforward networks for image classification with data-efficient training',
    authors: 'Touvron et al. 2021',
    url: 'https://arxiv.org/abs/2105.03404',
  },
  repmlp: {
    title: 'RepMLP: Re-parameterizing Convolutions into Fully-connected Layers for Image Recognition',
    authors: 'Ding et al. 2021',
    url: 'https://arxiv.org/abs/2105.01883',
  },
  'feed-forward': {
    title: 'Do You Even Need Attention?',
    authors: 'Melas-Kyriazi 2021',
    url: 'https://arxiv.org/abs/2105.02723',
  },
  external: {
    title: 'Beyond Self-attention: External Attention using Two Linear Layers for Visual Tasks',
    authors: 'Guo et al. 2021a',
    url: 'https://arxiv.org/abs/2105.02358',
  },
  convolutions: {
    title: 'Are Pre-trained Convolutions Better than Pre-trained Transformers?',
    authors: 'Tay et al. 2021',
    url: 'https://arxiv.org/abs/2105.03322',
  },
  survey: {
    title: 'Can Attention Enable MLPs To Catch Up With CNNs?',
    authors: 'Guo et al. 2021b',
    url: 'https://arxiv.org/abs/2105.15078',
  },
} as const satisfies Record<string, Paper>

export type PaperName = keyof typeof PAPERS
