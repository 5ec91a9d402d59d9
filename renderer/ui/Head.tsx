import type { ReactNode } from 'react'

/** The head of a column; `number` of one of numbers. */
export function Head({ number, title, children }: { number?: boolean; title?: string; children: ReactNode }) {
  return (
    <th scope="col" className={number ? 'number' : undefined} title={title}>
      {children}
    </th>
  )
}
