import { serveWorkbench } from '../start.ts'
import { type CliCommand, workspaceOf } from './command.ts'
import { wholeNumber } from './given/numbers.ts'

export const serve: CliCommand = {
  name: 'serve',
  synopsis: '',
  summary: 'the workbench in a browser, on 127.0.0.1',
  words: [0, 0],
  options: {
    port: { value: 'N', help: 'the port (default: that of last time, or any free one)' },
    'new-token': { help: 'another token than last time; open pages have to be opened again' },
    data: { value: 'DIR', help: 'let notebooks read data files below this folder' },
  },
  run: async (given, { out, signal }) => {
    const port = wholeNumber(given, 'port', 0)
    const data = given.options.data === undefined ? [] : [String(given.options.data)]
    await serveWorkbench({
      workspace: workspaceOf(given),
      data,
      newToken: given.options['new-token'] === true,
      ...(port === undefined ? {} : { port }),
      print: (line) => out(given.options.json ? JSON.stringify({ message: line }) : line),
      signal,
    })
    return 0
  },
}
