import type { ReactNode } from 'react'

/** A wide table, which is scrolled sideways by keyboard, too. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard, too
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
