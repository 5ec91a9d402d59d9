import { existsSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { receivedAttention } from '../../engine/explain/sentAttention.ts'
import { analyze, type Cell, parseNotebook, printNotebook } from '../../engine/notebook/index.ts'
import { readIpynb, writeIpynb } from '../../engine/notebook/ipynb/index.ts'
import { gatherReport, jupyterOutputs, type MadeAgain, reportHtml } from '../../engine/report/index.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type Arguments, type CliCommand, outputOf, type Terminal, workspaceOf } from './command.ts'
import { withCells } from './given/cells.ts'
import { notebookAt } from './training/readNotebook.ts'

const FORMATS = ['.ts', '.ipynb', '.html']

export const convert: CliCommand = {
  name: 'convert',
  synopsis: '<file> -o PATH',
  summary: 'turn a notebook into a Jupyter notebook or back, or into a report as one HTML file',
  words: [1, 1],
  options: {
    output: { short: 'o', value: 'PATH', help: 'the file to write: .ts, .ipynb or .html' },
    data: {
      value: 'DIR',
      help: 'let the code of its runs read data files below this folder, for diagrams and attention',
    },
  },
  run: async (given, output) => {
    const from = resolve(given.words[0] ?? '')
    const to = outputOf(given)
    const [source, target] = [formatOf(from), formatOf(to)]
    if (source === '.html' || source === target) {
      throw new MixlabError('option', '--output', `${source} cannot be turned into ${target}`)
    }
    if (target === '.ts' && existsSync(to)) throw new MixlabError('option', '--output', `${to}: exists already`)
    const text = await notebookAt(from)
    const percent = source === '.ts' ? text : printNotebook(cellsOf(from, text, output))
    writeAtomic(to, target === '.ts' ? percent : await withOutputs(from, percent, target, given, output))
    if (given.options.json) output.out(JSON.stringify({ from, to }))
    else output.out(to)
    return 0
  },
}

/** The cells of a Jupyter notebook. Throws MixlabError `notebook` with its file. */
function cellsOf(from: string, text: string, output: Terminal): Cell[] {
  try {
    return readIpynb(text, output.err)
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
    throw new MixlabError('notebook', from, error.message.replace(/^ipynb: /, ''))
  }
}

/** The notebook with what its cells showed last in the workspace; a Jupyter notebook has nothing there. */
async function withOutputs(from: string, percent: string, target: string, given: Arguments, output: Terminal) {
  const data = await withCells(given, output, (host, cells) => {
    const again: MadeAgain = {
      diagramOf: async (run) => (await cells()).diagramOfRun(run),
      attentionOf: async (id) => {
        const [run, weights] = [await host.showRun(String(id)), await host.readWeights(id)]
        return receivedAttention(await (await cells()).attention(run, weights, 0))
      },
    }
    return gatherReport(host, basename(from), percent, analyze, again)
  })
  if (data.cells.every((cell) => cell.output === null)) {
    output.err(`no cell of ${data.name} has an output in ${workspaceOf(given)}; run it in the workbench`)
  }
  return target === '.html' ? reportHtml(data) : writeIpynb(parseNotebook(percent), jupyterOutputs(data))
}

function formatOf(path: string): string {
  const format = extname(path)
  if (FORMATS.includes(format)) return format
  throw new MixlabError('option', basename(path), `unknown format '${format}' (known: ${FORMATS.join(', ')})`)
}
