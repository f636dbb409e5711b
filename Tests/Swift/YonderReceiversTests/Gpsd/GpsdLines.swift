/// Lines as gpsd 3.22 writes them.
enum GpsdLines {
    static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    static let noDevices = #"{"class":"DEVICES","devices":[]}"#
    static let devices = """
        {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/7","driver":"NMEA0183",\
        "activated":"2026-11-21T07:30:28.424Z","native":0,"bps":4800,"parity":"N","stopbits":1,"cycle":1.00}]}
        """
    static let watch = """
        {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":true,"timing":false,\
        "split24":false,"pps":false}
        """
    static let gone = #"{"class":"DEVICE","path":"/dev/pts/7","activated":0}"#
    static let found = #"{"class":"DEVICE","path":"/dev/pts/7","activated":"2026-11-21T07:30:28.424Z"}"#
    static let noFix = #"{"class":"TPV","device":"/dev/pts/7","mode":1}"#
    static let fix = """
        {"class":"TPV","device":"/dev/pts/7","mode":3,"time":"2018-08-20T09:47:41.000Z","ept":0.005,\
        "lat":52.850091667,"lon":5.313483333,"altHAE":42.8000,"altMSL":-4.0000,"alt":-4.0000,"epx":7.468,\
        "epy":8.884,"epv":20.700,"track":226.5000,"magtrack":225.1000,"magvar":1.4,"speed":3.241,"eps":17.77,\
        "epc":41.40,"geoidSep":43.514,"eph":11.400,"sep":20.900}
        """
    static let unknownDevice = #"{"class":"ERROR","message":"No such device as /dev/pts/7"}"#

    /// The request that a source sends.
    static let request = #"?WATCH={"enable":true,"json":true,"scaled":true};"#
    static let farewell = #"?WATCH={"enable":false};"#
}
