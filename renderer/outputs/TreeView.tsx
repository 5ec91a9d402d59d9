import { createElement } from 'react'
import type { TreeEntry } from '../protocol/body.ts'

/** Nested values, to be opened one by one. */
export function TreeView({ entries }: { entries: TreeEntry[] }) {
  return createElement('ul', { className: 'tree' }, ...entries.map(entry)) // entries never change places
}

function entry({ name, text, entries }: TreeEntry) {
  const line = (
    <>
      <span className="tree-name">{name}</span> {text}
    </>
  )
  if (!entries) return <li>{line}</li>
  return (
    <li>
      <details>
        <summary>{line}</summary>
        <TreeView entries={entries} />
      </details>
    </li>
  )
}
