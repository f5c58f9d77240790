;; Strings, regular expressions, formatting, JSON and dates.

(str "a" 1 :b nil [1 nil "x"] {:k "v"})
;=> "a1:b[1 nil \"x\"]{:k \"v\"}"

(str)
;=> ""

(pr-str "a\n" {:a "x" :b [1]})
;=> "\"a\\n\" {:a \"x\", :b [1]}"

(subs "héllo" 1 3)
;=> "él"

(subs "abc" 2 9)
;=> error type

(count "日本👍")
;=> 3

(first "👍x")
;=> "👍"

(reverse "a👍")
;=> ["👍" "a"]

(str/join ", " [1 nil :a])
;=> "1, , :a"

(string/split "a,b,,c,," #",")
;=> ["a" "b" "" "c"]

(string/split "a,b,,c,," #"," -1)
;=> ["a" "b" "" "c" "" ""]

(string/split "abc" #"")
;=> ["a" "b" "c"]

(string/split "a.b" ".")
;=> error type

(string/split-lines "a\r\nb\n\n")
;=> ["a" "b"]

(string/replace "a1b2" #"(\d)" "<$1>")
;=> "a<1>b<2>"

(string/replace "a1b2" #"\d" (fn [d] (str (inc (parse-long d)))))
;=> "a2b3"

(string/replace "a.b" "." "$1")
;=> "a$1b"

(string/replace "a1" #"\d" "$9")
;=> error type

(string/capitalize "hELLO wORLD")
;=> "Hello world"

(string/trim " \ta ")
;=> "a"

(string/blank? nil)
;=> true

(string/upper-case nil)
;=> error type

(string/index-of "hello" "l" 3)
;=> 3

(string/last-index-of "hello" "l")
;=> 3

(string/escape "<a>" {\< "&lt;"})
;=> "&lt;a>"

(re-find #"(\d+)-(\d+)" "x 10-20")
;=> ["10-20" "10" "20"]

(re-matches #"\d+" "12a")
;=> nil

(re-seq #"[a-z]\d" "a1 b2")
;=> ["a1" "b2"]

(re-find #"(a)?(b)" "b")
;=> ["b" nil "b"]

#"[a-z"
;=> error parse

(format "%s has %d of %.2f (%5.1f%%)" "a" 3 2.345 99.95)
;=> "a has 3 of 2.35 (100.0%)"

(format "%05d|%-5s|%+d|%,d|%x" 42 "ab" 3 1234567 255)
;=> "00042|ab   |+3|1,234,567|ff"

(format "%2$s %1$s %s" "a" "b")
;=> "b a a"

(format "%d" 1.5)
;=> error type

(format "%s")
;=> error type

(json/parse "{\"a\": [1, 2.5, null, true]}")
;=> {"a" [1 2.5 nil true]}

(json/parse "{'a'}")
;=> nil

(json/write {:a #{1} "b" nil 'c 1.5})
;=> "{\"a\":[1],\"b\":null,\"c\":1.5}"

(json/write inc)
;=> error type

(date/diff "2026-01-31" "2026-03-01" :months)
;=> 1

(date/diff "2026-03-01T00:00Z" "2026-02-28T12:00Z" :hours)
;=> -12

(date/add "2024-02-29" 1 :years)
;=> "2025-02-28"

(date/add "2026-11-21T23:30:00Z" 45 :minutes)
;=> "2026-11-22T00:15:00Z"

(date/parse "2026-02-30")
;=> nil

(:weekday (date/parse "2026-11-21"))
;=> 6
