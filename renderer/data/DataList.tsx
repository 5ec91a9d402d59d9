import { useState } from 'react'
import { catalogue } from '../../engine/data/catalogue/index.ts'
import { dataInWorkspace, type FoundData, generatedData } from '../../engine/datacard/found.ts'
import { namesInCells } from '../../engine/datacard/names.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { useNotebook } from '../session/state.ts'
import { dataHash } from '../ui/route.ts'
import { dataOfCell } from './reference.ts'

/** All data sets that can be looked at, by where they come from. */
export function DataList() {
  const { name, cells } = useNotebook()
  const { value: files, error } = useAnswer('data', () => dataInWorkspace(host()))
  const ofCells = namesInCells(cells)
  const known = new Set(files?.map(({ path }) => path.replace(/^data\//, '')))
  const missing = catalogue.filter((entry) => !known.has(entry.name))
  return (
    <>
      <h1 className="page-title">Data</h1>
      <AnyData />
      <section aria-labelledby="data-cells">
        <h2 id="data-cells">In the notebook {name?.replace(/\.ts$/, '')}</h2>
        {ofCells.length === 0 && <p className="muted">It defines neither a study nor a data set.</p>}
        <ul className="data-list">
          {ofCells.map((each) => (
            <li key={each}>
              <a href={dataHash(dataOfCell(each))}>{each}</a>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="data-files">
        <h2 id="data-files">In the folder data of the workspace</h2>
        {error && <p className="bad">{error}</p>}
        {files?.length === 0 && <p className="muted">Nothing yet.</p>}
        <ul className="data-list">
          {files?.map((each) => (
            <li key={each.path}>
              {each.expression ? (
                <Entry {...each} words={each.path} />
              ) : (
                <span className="muted">{each.path}: say above how it is read</span>
              )}
            </li>
          ))}
        </ul>
        {missing.length > 0 && (
          <p className="muted">
            To be downloaded by <code>mixlab data NAME</code>: {missing.map((entry) => entry.name).join(', ')}
          </p>
        )}
      </section>
      <section aria-labelledby="data-generated">
        <h2 id="data-generated">Generated</h2>
        <ul className="data-list">
          {generatedData().map((each) => (
            <li key={`${each.expression} ${each.task}`}>
              <Entry {...each} words={each.expression} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Entry({ expression, task, kind, words }: FoundData & { words: string }) {
  return (
    <>
      <a href={dataHash(expression, task)}>{words}</a> <span className="muted">{kind}</span>
    </>
  )
}

/** Data that the user names. */
function AnyData() {
  const [text, setText] = useState('')
  return (
    <form
      className="data-any"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) location.assign(dataHash(text.trim()))
      }}
    >
      <label>
        <span className="muted">
          as a cell names it: <code>{"folder({ path: 'data/birds', size: 64 })"}</code>
        </span>
        <input value={text} onChange={({ target }) => setText(target.value)} data-testid="data-name" />
      </label>
      <button type="submit" className="button">
        Show
      </button>
    </form>
  )
}
