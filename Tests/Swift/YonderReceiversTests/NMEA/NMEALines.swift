import YonderGeodesy

/// Sentences of a receiver that stands in Toledo and then moves on.
enum NMEALines {
    static let fix = """
        $GPGGA,165007.000,4143.6058,N,08338.0778,W,1,06,1.5,204.3,M,-33.7,M,,0000*67\r
        $GPRMC,165007.000,A,4143.6058,N,08338.0778,W,0.55,36.58,180710,,,A*4F\r

        """
    static let nextFix = """
        $GPGGA,165008.000,4143.6059,N,08338.0786,W,1,06,1.5,204.1,M,-33.7,M,,0000*6A\r
        $GPRMC,165008.000,A,4143.6059,N,08338.0786,W,0.32,172.38,180710,,,A*76\r

        """
    static let noFix = "$GPRMC,212607.891,V,,,,,,,181207,0,N*5C\r\n"

    static func isFirst(_ told: Told) -> Bool {
        guard case .place(let place) = told else { return false }
        return abs(place.latitude - 41.726763) < 1e-5 && abs(place.longitude + 83.634630) < 1e-5
    }
}
