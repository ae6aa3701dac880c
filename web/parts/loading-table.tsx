const ROWS = 11;

export function LoadingTable() {
  return (
    <div class="loading" aria-hidden="true">
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} class="loading-row">
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
