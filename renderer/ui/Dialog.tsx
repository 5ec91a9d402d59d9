import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { closeDialog } from './dialog.ts'

/** A window over the page; Escape or a click beside it closes it, and the focus goes back to where it was. */
export function Dialog({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={closeDialog}
      onMouseDown={(event) => event.target === event.currentTarget && closeDialog()}
    >
      {children}
    </dialog>
  )
}
