;; Numbers: arithmetic, comparison, text to numbers and back.

(+ 1 2 3)
;=> 6

(+)
;=> 0

(*)
;=> 1

(- 5)
;=> -5

(- 10 3 2)
;=> 5

(- 0)
;=> 0

(* 0 -1)
;=> 0

(/ 10 4)
;=> 2.5

(/ 5)
;=> 0.2

(/ 1 0)
;=> error arithmetic

(quot -7 2)
;=> -3

(rem -7 2)
;=> -1

(mod -7 2)
;=> 1

(mod 7.5 2)
;=> 1.5

(mod 1 -5)
;=> -4

(rem 5 0)
;=> error arithmetic

(max 1 2.5)
;=> 2.5

(min 3 1 2)
;=> 1

(abs -2.5)
;=> 2.5

(round -1.5)
;=> -2

(round 2.5)
;=> 3

(floor -0.5)
;=> -1

(inc nil)
;=> error type

(+ 1 "a")
;=> error type

(even? 2.5)
;=> error type

(< 1 2 3)
;=> true

(< 1 3 2)
;=> false

(< nil)
;=> true

(> nil 0)
;=> error type

(== 1 1.0)
;=> true

(= ##NaN ##NaN)
;=> false

(compare "a" "c")
;=> -2

(compare nil 1)
;=> -1

(compare [1 2] [1 3])
;=> -1

(compare 1 "a")
;=> error type

;; Whole numbers are exact or an error, never rounded in silence.

(+ 9007199254740990 1)
;=> 9007199254740991

(+ 9007199254740991 1)
;=> error arithmetic

(reduce * (range 1 30))
;=> error arithmetic

(* 1e300 10)
;=> 1.0E301

9007199254740993
;=> error arithmetic

;; Bits work on 64-bit whole numbers.

(bit-and 12 10)
;=> 8

(bit-not 5)
;=> -6

(bit-shift-left 1 62)
;=> error arithmetic

(bit-test 5 2)
;=> true

;; Numbers print as Java prints them.

(str 1.5 " " 1e21 " " 0.00001 " " ##Inf " " -0.0)
;=> "1.5 1.0E21 1.0E-5 Infinity -0.0"

(pr-str ##Inf ##-Inf ##NaN)
;=> "##Inf ##-Inf ##NaN"

(parse-long "-17")
;=> -17

(parse-long "5.0")
;=> nil

(parse-double "1e3")
;=> 1000

(parse-double "x")
;=> nil

(parse-boolean "TRUE")
;=> nil

(int 3.9)
;=> 3

(int \A)
;=> 65

0x1F
;=> 31

2r101
;=> 5

1/2
;=> 0.5
