// The language of the pages on this browser, if somebody wants a language other than the browser's.

const YEAR_S = 365 * 24 * 3600;

export function placeLanguage() {
  const chosen = document.getElementById("language");
  chosen.addEventListener("change", () => {
    document.cookie = `language=${chosen.value};path=/;max-age=${YEAR_S};samesite=strict`;
    location.reload();
  });
}
