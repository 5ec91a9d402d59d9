/** A file that is downloaded. */
export interface CatalogueFile {
  name: string
  url: string
  /** Its length. */
  bytes: number
  /** In hex. */
  sha256: string
  /** What it is, where its files are taken out of it. */
  archive?: (typeof ARCHIVES)[number]
}

/** A public data set that is downloaded to the user's machine when the user asks for it. */
export interface CatalogueEntry {
  name: string
  /** What its authors say of its use. */
  licence: string
  /** Its home or its paper. */
  source: string
  files: CatalogueFile[]
}

const ARCHIVES = ['tar.gz', 'zip'] as const
const OSSCI = 'https://ossci-datasets.s3.amazonaws.com/mnist'
const ZALANDO = 'https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion'
const TORONTO = 'https://www.cs.toronto.edu/~kriz'
const GGML = 'https://huggingface.co/datasets/ggml-org/ci/resolve/main'

/**
 * The catalogue. The checksums are those of the files that TensorFlow Datasets, torchvision and llama.cpp read; a file at
 * the same address that has others is refused.
 */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'mnist',
    licence: 'CC BY-SA 3.0',
    source: 'LeCun, Cortes and Burges, http://yann.lecun.com/exdb/mnist/',
    files: filesAt(OSSCI, [
      'train-images-idx3-ubyte.gz 9912422 440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609',
      'train-labels-idx1-ubyte.gz 28881 3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c',
      't10k-images-idx3-ubyte.gz 1648877 8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6',
      't10k-labels-idx1-ubyte.gz 4542 f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6',
    ]),
  },
  {
    name: 'fashion-mnist',
    licence: 'MIT',
    source: 'Xiao, Rasul and Vollgraf 2017, https://arxiv.org/abs/1708.07747',
    files: filesAt(ZALANDO, [
      'train-images-idx3-ubyte.gz 26421880 3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84',
      'train-labels-idx1-ubyte.gz 29515 a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845',
      't10k-images-idx3-ubyte.gz 4422102 346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073',
      't10k-labels-idx1-ubyte.gz 5148 67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5',
    ]),
  },
  {
    name: 'cifar-10',
    licence: 'none stated; cite Krizhevsky 2009',
    source: 'Krizhevsky 2009, https://www.cs.toronto.edu/~kriz/cifar.html',
    files: filesAt(TORONTO, [
      'cifar-10-binary.tar.gz 170052171 c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd',
    ]),
  },
  {
    name: 'cifar-100',
    licence: 'none stated; cite Krizhevsky 2009',
    source: 'Krizhevsky 2009, https://www.cs.toronto.edu/~kriz/cifar.html',
    files: filesAt(TORONTO, [
      'cifar-100-binary.tar.gz 168513733 58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec',
    ]),
  },
  {
    name: 'wikitext-2',
    licence: 'CC BY-SA 3.0',
    source: 'Merity et al. 2016, https://arxiv.org/abs/1609.07843; the raw version',
    files: filesAt(GGML, [
      'wikitext-2-raw-v1.zip 4721645 ef7edb566e3e2b2d31b29c1fdb0c89a4cc683597484c3dc2517919c615435a11',
    ]),
  },
]

/** Files of a folder, each given as its name, its length and its SHA-256. */
function filesAt(folder: string, files: string[]): CatalogueFile[] {
  return files.map((file) => {
    const [name = '', bytes, sha256 = ''] = file.split(' ')
    const archive = ARCHIVES.find((ending) => name.endsWith(ending))
    return { name, url: `${folder}/${name}`, bytes: Number(bytes), sha256, ...(archive && { archive }) }
  })
}
